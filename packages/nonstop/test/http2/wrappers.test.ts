import assert = require('node:assert/strict');
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import { ours } from '../support/framework.js';
import { ask } from '../support/http2-client.js';
import { served } from '../support/http2-server.js';

/*
 * The first request of a server of node's, when code before the application has replaced methods of the response: that code keeps node's own, and
 * calls them after the response has become one of this package. The second request is made by this package from its start.
 */

type Res = http.ServerResponse;
type Methods = Record<string, (this: Res, ...given: unknown[]) => unknown>;

const REPLACED: readonly (readonly string[])[] = [
  ['writeHead'],
  ['write'],
  ['end'],
  ['write', 'end'],
  ['setHeader', 'getHeader', 'hasHeader', 'removeHeader', 'getHeaders', 'getHeaderNames'],
  ['flushHeaders', 'setTimeout', 'cork', 'uncork'],
  ['destroy'],
];

const app = ours();
app.disable('x-powered-by');
app.get('/send', (_req, res) => void res.status(201).set('X-A', '1').cookie('a', 'b').send('hello'));
app.get('/parts', (_req, res) => {
  res.set('X-P', '1').set('X-Gone', '1').removeHeader('X-Gone');
  res.write('one');
  setImmediate(() => {
    res.cork();
    res.write('two');
    res.uncork();
    res.end('three');
  });
});
app.get('/head', (_req, res) => {
  res.setHeader('X-0', '0');
  res.writeHead(202, { 'X-H': '1' });
  res.end(String(res.getHeader('X-0')));
});
app.get('/flush', (_req, res) => {
  res.set('X-F', '1').flushHeaders();
  setImmediate(() => res.end('late'));
});
app.get('/empty', (_req, res) => void res.sendStatus(204));
app.get('/throws', () => {
  throw Object.assign(new Error('no'), { status: 418, expose: true });
});
app.get('/destroyed', (_req, res) => void res.destroy());
app.set('env', 'test');

/** Replaces methods by ones that call what they have found; the first call of one that sends sets a field. */
function replace(res: Res, names: readonly string[]): void {
  const methods = res as unknown as Methods;
  for (const name of names) {
    const found = methods[name];
    methods[name] = function (this: Res, ...given: unknown[]) {
      if (!this.headersSent && /write|end|flush/.test(name)) this.setHeader('X-Wrapped', 'yes');
      return found.apply(this, given);
    };
  }
}

for (const names of REPLACED) {
  test(`a first request whose response has other methods ${names.join(', ')} is answered as the second`, async () => {
    for (const path of ['/send', '/parts', '/head', '/flush', '/empty', '/throws', '/destroyed']) {
      for (const method of ['GET', 'HEAD']) {
        const server = http2.createServer((req, res) => {
          replace(res as never, names);
          app(req as never, res as never);
        });
        const { session, close } = await served(server);
        const answers: unknown[] = [];
        for (let i = 0; i < 2; i++) {
          const { status, fields, body, reset, whole } = await ask(session, {
            headers: { ':path': path, ':method': method },
          });
          const named = fields.map((field) => field.join()).filter((line) => !line.startsWith('date,'));
          answers.push({ path, method, status, named: named.toSorted(), body: body.toString(), reset, whole });
        }
        await close();
        assert.deepEqual(answers[0], answers[1]);
      }
    }
  });
}

for (const name of ['write', 'end'] as const) {
  test(`an application that has wrapped ${name}() of its responses is answered as over HTTP/1`, async () => {
    const wrapped = ours();
    wrapped.disable('x-powered-by');
    const methods = wrapped.response as unknown as Methods;
    const found = methods[name];
    methods[name] = function (this: Res, ...given: unknown[]) {
      if (!this.headersSent) this.setHeader('X-Wrapped', 'yes');
      return found.apply(this, given);
    };
    wrapped.use((req, res) => {
      if (req.url === '/parts') res.write('one');
      if (req.url === '/called') res.end('called', () => undefined);
      else res.end('text');
    });
    const { session, close } = await served(http2.createServer(wrapped as never));
    for (const [path, text] of [
      ['/', 'text'],
      ['/parts', 'onetext'],
      ['/called', 'called'],
    ]) {
      const { fields, body, whole } = await ask(session, { headers: { ':path': path } });
      const isWrapped = fields.some(([field]) => field === 'x-wrapped');
      assert.deepEqual([whole, body.toString(), isWrapped], [true, text, (name === 'end') !== (path === '/parts')]);
    }
    await close();
  });
}
