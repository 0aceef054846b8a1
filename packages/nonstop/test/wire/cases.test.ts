import assert = require('node:assert/strict');
import http = require('node:http');
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { mayRefuse } from '../support/stricter.js';
import { accepted, refused, type WireCase } from './cases.js';

interface Understood {
  requests: Required<WireCase['requests'][number]>[];
  error?: string;
}

/** What a server of node:http understands of one read, on a connection without a socket. */
async function understood(input: string): Promise<Understood> {
  const found: Understood = { requests: [] };
  const server = http.createServer({ requireHostHeader: false }, (req, res) => {
    const { method, url, httpVersion, rawHeaders: fields } = req;
    const line = `${method} ${url} ${httpVersion}`;
    const request = { line, body: '', open: true, persistent: res.shouldKeepAlive, fields, trailers: [] as string[] };
    found.requests.push(request);
    req.on('data', (data: Buffer) => (request.body += data.toString('latin1')));
    req.on('end', () => Object.assign(request, { open: false, trailers: req.rawTrailers }));
    req.on('error', () => {});
    res.end();
  });
  server.on('clientError', ({ code, reason }: NodeJS.ErrnoException & { reason?: string }, socket) => {
    found.error ??= `${code}: ${reason}`;
    socket.destroy();
  });
  const connection = new Duplex({ read() {}, write: (_data, _encoding, done) => done() });
  server.emit('connection', connection);
  connection.push(Buffer.from(input, 'latin1'));
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  connection.destroy();
  return found;
}

/** What a case says, completed by what it leaves out. */
const complete = ({ requests, error }: WireCase, { requests: told }: Understood): Understood => ({
  requests: requests.map(({ line, body = '', open = false, trailers = [], ...rest }, i) => ({
    ...told[i],
    ...rest,
    line,
    body,
    open,
    trailers,
  })),
  ...(error === undefined ? {} : { error }),
});

test('the cases are what node:http understands', async () => {
  for (const wireCase of [...accepted, ...refused]) {
    const told = await understood(wireCase.input);
    if (told.error === undefined && mayRefuse(wireCase.input) !== undefined) continue;
    assert.deepEqual(told, complete(wireCase, told), wireCase.name);
  }
});
