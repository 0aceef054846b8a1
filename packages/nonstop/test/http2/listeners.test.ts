import assert = require('node:assert/strict');
import http2 = require('node:http2');
import { test } from 'node:test';
import { ours } from '../support/framework.js';
import { ask } from '../support/http2-client.js';
import { served } from '../support/http2-server.js';
import { nonstopHttp2 } from '../support/subject.js';

/* Listeners of a program on a server, for what node:http2 emits. */

type Build = (server: http2.Http2Server, note: (what: string) => void) => void;

const ORDERS: Readonly<Record<string, Build>> = {
  'before that for requests': (server, note) => {
    server.on('stream', () => note('stream'));
    server.on('request', (_req, res) => {
      note('request');
      res.end();
    });
  },
  'after that for requests': (server, note) => {
    server.on('request', (_req, res) => {
      note('request');
      res.end();
    });
    server.on('stream', () => note('stream'));
  },
  'on both sides': (server, note) => {
    server.on('stream', () => note('first'));
    server.on('request', (_req, res) => {
      note('request');
      res.end();
    });
    server.on('stream', () => note('last'));
  },
};

async function orderOf(server: http2.Http2Server, build: Build): Promise<string[]> {
  const heard: string[] = [];
  build(server, (what) => heard.push(what));
  const { session, close } = await served(server);
  for (let i = 0; i < 2; i++) await ask(session, { headers: {} });
  await close();
  return heard;
}

for (const [place, build] of Object.entries(ORDERS)) {
  test(`a listener for 'stream' ${place} is called in its order`, async () => {
    const expected = await orderOf(http2.createServer(), build);
    assert.deepEqual(await orderOf(nonstopHttp2().createServer(), build), expected);
    const byApplication: Build = (server, note) => {
      const app = ours();
      app.use((_req, res) => {
        note('request');
        res.end();
      });
      const on = server.on.bind(server) as (event: string, listener: unknown) => http2.Http2Server;
      const given = { on: (event: string, listener: unknown) => on(event, event === 'request' ? app : listener) };
      build(given as never, note);
    };
    assert.deepEqual(
      await orderOf(http2.createServer(), byApplication),
      expected,
      'a server that an application takes over',
    );
  });
}
