import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { routePattern } from '../../src/routing/route-pattern.js';
import { subject } from '../support/subject.js';

type Handler = (req: http.IncomingMessage, res: http.ServerResponse, next: (error?: unknown) => void) => void;
interface Routes {
  use(...args: unknown[]): void;
  get(path: unknown, ...handlers: Handler[]): void;
  param(name: string, handler: Handler): void;
}
type Express = { (): Routes & http.RequestListener; Router(options?: object): Routes; static(root: string): Handler };

const answer: Handler = (_req, res) => void res.end();

for (const [name, entry] of [
  ['Express 5', 'index.js'],
  ['Express 4', 'v4.js'],
] as const) {
  describe(`the route of an answered request, ${name}`, () => {
    const express = require(path.join(subject, entry)) as Express;
    const app = express();
    const users = express.Router();
    users.get('/', answer);
    users.get('/:id', answer);
    users.get(['/old/:id', '/older/:id'], answer);
    users.get(/^\/letter-[a-z]$/, answer);
    users.get('/:id/next', (_req, _res, next) => next(), answer);
    users.get('/late/:id', (_req, res) => void setImmediate(() => res.end()));
    users.get('/fails/:id', () => {
      throw new Error('of the handler');
    });
    app.use('/accounts/:account/users', users);
    app.get('/', answer);
    app.get('/plain', answer);
    const inner = express();
    inner.get('/in/:x', answer);
    app.use('/mounted', inner);
    app.use('/assets', answer);
    app.get('/passed/:id', (_req, _res, next) => next());
    // Routes that go on when they have answered, with middleware after them that does not.
    const goesOn: Handler = (_req, res, next) => (res.end(), next());
    app.get('/goes-on/:id', goesOn);
    app.get('/goes-on/in-two/:id', (_req, _res, next) => next(), goesOn);
    app.get('/goes-on/late/:id', (req, res, next) => void setImmediate(() => goesOn(req, res, next)));
    const inner2 = express.Router();
    inner2.get('/:id', goesOn);
    inner2.use(() => undefined);
    app.use('/inside', inner2);
    app.use('/goes-on', () => undefined);
    const some: Handler = (req, res, next) => (req.url === '/middleware' ? void res.end() : next());
    app.use(some);
    app.get('/handled/:id', (_req, _res, next) => next(new Error('of the route')));
    app.use((error: unknown, req: http.IncomingMessage, res: http.ServerResponse, next: (error: unknown) => void) =>
      req.url?.startsWith('/handled') ? void res.end() : next(error),
    );
    const seen: string[] = [];
    const server = http.createServer((req, res) => {
      res.on('finish', () => seen.push(routePattern(req)));
      app(req, res);
    });
    server.listen(0, '127.0.0.1');
    after(() => server.close());

    const cases: readonly (readonly [url: string, pattern: string])[] = [
      ['/', '/'],
      ['/plain?a=b', '/plain'],
      ['/accounts/7/users', '/accounts/:account/users'],
      ['/accounts/7/users/8', '/accounts/:account/users/:id'],
      // Express 4 compiles a list of paths to one RegExp.
      ['/accounts/7/users/older/8', `/accounts/:account/users${name === 'Express 4' ? '/old/:id|' : ''}/older/:id`],
      ['/accounts/7/users/fails/8', '/accounts/:account/users/fails/:id'],
      ['/handled/8', '/handled/:id'],
      ['/accounts/7/users/letter-q', '/accounts/:account/users/:id'],
      ['/accounts/7/users/8/next', '/accounts/:account/users/:id/next'],
      ['/accounts/7/users/late/8', '/accounts/:account/users/late/:id'],
      ['/mounted/in/9', '/mounted/in/:x'],
      ['/assets/a/b.css', '/assets/*'],
      ['/middleware', ''],
      ['/not/there', ''],
      ['/passed/1', ''],
      ['/goes-on/1', '/goes-on/:id'],
      ['/goes-on/in-two/1', '/goes-on/in-two/:id'],
      ['/goes-on/late/1', '/goes-on/late/:id'],
      ['/inside/1', '/inside/:id'],
    ];
    for (const [url, pattern] of cases) {
      test(`${url} is ${pattern || 'none'}`, async () => {
        const { port } = server.address() as AddressInfo;
        await fetch(`http://127.0.0.1:${port}${url}`).then((response) => response.arrayBuffer());
        assert.equal(seen.at(-1), pattern);
      });
    }
  });
}

test('a request of another framework has no route', () => {
  assert.equal(routePattern({ url: '/a', route: { path: '/a' } }), '');
});
