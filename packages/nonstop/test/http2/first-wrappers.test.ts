import assert = require('node:assert/strict');
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import type express = require('express');
import { ours } from '../support/framework.js';
import { ask } from '../support/http2-client.js';
import { served } from '../support/http2-server.js';

/*
 * Wrappers that get a request before the application does, and keep the methods of its response. The first response of a server is node's then; it
 * must be answered as all others are.
 */

type Res = http.ServerResponse;
type Method = (this: Res, ...args: unknown[]) => unknown;

/** Replaces a method by one that gets the method before it. */
function replace(res: Res, name: string, make: (before: Method) => Method): void {
  const all = res as unknown as Record<string, Method>;
  all[name] = make(all[name]);
}

const WRAPPERS: Readonly<Record<string, (res: Res) => void>> = {
  'writeHead(), as on-headers': (res) =>
    replace(res, 'writeHead', (before) => {
      return function (...args) {
        res.setHeader('x-wrapped', '1');
        return before.apply(this, args);
      };
    }),
  'end(), as express-session': (res) =>
    replace(res, 'end', (before) => {
      return function (...args) {
        if (!res.headersSent) res.setHeader('x-wrapped', '1');
        return before.apply(this, args);
      };
    }),
  'write() and end(), as compression': (res) => {
    replace(res, 'write', (before) => {
      return function (chunk) {
        return before.call(this, String(chunk).toUpperCase());
      };
    });
    replace(res, 'end', (before) => {
      return function (chunk) {
        if (chunk) this.write(chunk);
        return before.call(this);
      };
    });
  },
  'the methods of fields': (res) => {
    replace(res, 'setHeader', (before) => {
      return function (name, value) {
        return before.call(this, name, `${String(value)};wrapped`);
      };
    });
    for (const name of ['getHeader', 'getHeaders', 'getHeaderNames', 'hasHeader', 'removeHeader']) {
      replace(res, name, (before) => {
        return function (...args) {
          return before.apply(this, args);
        };
      });
    }
  },
};

const ANSWERS: Readonly<Record<string, express.RequestHandler>> = {
  'res.send()': (_req, res) => void res.status(202).set('X-App', 'a').send('hello'),
  'an answer in parts': (_req, res) => {
    res.set('X-App', 'a').removeHeader('X-Powered-By');
    res.write(String(res.getHeaderNames()));
    setImmediate(() => res.end(JSON.stringify([res.getHeaders(), res.hasHeader('x-app')])));
  },
  'res.writeHead()': (_req, res) => void res.writeHead(203, { 'x-given': '1' }).end('hello'),
  'res.end() without a body': (_req, res) => void res.status(404).end(),
  'an error': () => {
    throw Object.assign(new Error('gone'), { status: 410 });
  },
};

for (const [wrapped, wrap] of Object.entries(WRAPPERS)) {
  for (const [name, handler] of Object.entries(ANSWERS)) {
    test(`${name} behind a wrapper of ${wrapped}`, { timeout: 5000 }, async () => {
      const app = ours();
      app.set('env', 'test');
      app.use(handler);
      const heard: string[] = [];
      const server = http2.createServer((req, res) => {
        wrap(res as never);
        for (const event of ['finish', 'close']) res.on(event, () => heard.push(event));
        (app as (req: unknown, res: unknown) => void)(req, res);
      });
      const { session, close } = await served(server);
      const answers: unknown[] = [];
      for (let i = 0; i < 2; i++) {
        heard.length = 0;
        const { status, fields, body, whole } = await ask(session, { headers: {} });
        const sent = fields.filter(([field]) => field !== 'date');
        answers.push({ status, fields: sent, body: body.toString(), whole, heard: [...heard] });
      }
      await close();
      assert.deepEqual(answers[0], answers[1]);
    });
  }
}

test('a response that a wrapper has ended is ended for the application, and finishes', { timeout: 5000 }, async () => {
  const app = ours().disable('x-powered-by');
  const heard: unknown[] = [];
  const closed = new Promise((resolve) => {
    app.use((_req, res) => {
      heard.push(res.writableEnded);
      res.on('finish', () => heard.push('finish')).on('close', resolve);
    });
  });
  const server = http2.createServer((req, res) => {
    res.sendDate = false;
    res.end('whole');
    (app as (req: unknown, res: unknown) => void)(req, res);
  });
  const { session, close } = await served(server);
  const { fields, body } = await ask(session, { headers: {} });
  await closed;
  await close();
  assert.deepEqual([fields, body.toString(), heard], [[], 'whole', [true, 'finish']]);
});
