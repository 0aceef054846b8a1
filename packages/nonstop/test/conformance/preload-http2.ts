// Loaded before the suite of a middleware package: each server from http.createServer() speaks HTTP/2 in clear text, by node:http2
// or nonstop/http2 (HTTP2_BY). superagent, the client of the suites, speaks HTTP/2 if HTTP2_TEST is set.
import { appendFileSync } from 'node:fs';
import http = require('node:http');
import http2 = require('node:http2');
import { isOurs } from '../support/http2-server.js';
import { nonstopHttp2 } from '../support/subject.js';

const file = process.env['CONFORMANCE_TALLY'];
const tally = { engine: 0, 'node:http': 0, left: 0 };

const { createServer } = process.env['HTTP2_BY'] === 'nonstop' ? nonstopHttp2() : http2;

function overHttp2(...args: readonly unknown[]): http2.Http2Server {
  const server = createServer(args.find((each) => typeof each === 'function') as never);
  server.prependListener('request', (req) => tally[isOurs(req) ? 'engine' : 'node:http']++);
  return server;
}

http.createServer = overHttp2 as unknown as typeof http.createServer;

process.on('exit', () => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
