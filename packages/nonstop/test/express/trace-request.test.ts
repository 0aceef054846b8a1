import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import dc = require('node:diagnostics_channel');
import { once } from 'node:events';
import type http = require('node:http');
import path = require('node:path');
import { after, describe, test } from 'node:test';
import type { TracedError, TracedLayer, TracedRequest, TracedRoute } from '../../src/types/tracing.js';
import { doors, type Door } from '../support/doors.js';
import { serveApp } from '../support/http2-server.js';
import { RawClient } from '../support/raw-http.js';
import { subject } from '../support/subject.js';

type Next = (error?: unknown) => void;
type Handler = (req: http.IncomingMessage, res: http.ServerResponse, next: Next) => unknown;
interface App extends http.RequestListener {
  (req: http.IncomingMessage, res: http.ServerResponse, next?: Next): void;
  set(name: string, value: unknown): void;
  use(...args: unknown[]): void;
  get(path: unknown, ...handlers: Handler[]): void;
  param(name: string, handler: Handler): void;
}
type Express = { (): App; Router(): App };

const NAMES = ['request', 'route', 'layer'] as const;
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Name = (typeof NAMES)[number];

/** The parts of a channel message that are compared. */
function told(name: Name, message: object): string {
  if (name === 'request') return (message as TracedRequest).route;
  if (name === 'route') return (message as TracedRoute).route;
  const { type, name: handler, path: where } = message as TracedLayer;
  return `${type} ${handler} ${where}`;
}

/** Subscribes to channels while `run` runs. @returns one line for each message */
async function heard(
  run: () => Promise<unknown>,
  names: readonly Name[] = NAMES,
  events: readonly (typeof EVENTS)[number][] = EVENTS,
): Promise<string[]> {
  const lines: string[] = [];
  const stop: (() => void)[] = [];
  const listen = (channel: string, listener: (message: object) => void): void => {
    dc.subscribe(channel, listener as dc.ChannelListener);
    stop.push(() => dc.unsubscribe(channel, listener as dc.ChannelListener));
  };
  for (const name of names) {
    for (const event of events) {
      listen(`tracing:nonstop.${name}:${event}`, (message) => {
        const { error } = message as TracedLayer;
        const failed = error === undefined ? '' : ` with ${String(error)}`;
        lines.push(`${name} ${event} ${told(name, message)}${failed}`.trim().replace('  ', ' '));
      });
    }
  }
  if (names === NAMES) {
    listen('nonstop.error', (message) => {
      const { error, route } = message as TracedError;
      lines.push(`error ${String(error)} of ${route}`);
    });
  }
  try {
    await run();
  } finally {
    for (const each of stop) each();
  }
  return lines;
}

const onlyEnds = (lines: readonly string[]): string[] => lines.filter((line) => !/ (end|asyncStart) /.test(`${line} `));

const pass: Handler = function pass(_req, _res, next) {
  next();
};
const answer: Handler = function answer(_req, res) {
  res.end('hello');
};
const boom = new Error('boom');

/** An application on one door: for node's door it is kept from being taken over at its first request. */
function applicationOf(express: Express, { serves }: Door): App {
  const app = express();
  app.set('env', 'test');
  if (serves === 'node:http') app.set('http engine', 'node');
  return app;
}

function build(express: Express, door: Door): App {
  const app = applicationOf(express, door);
  const inner = express.Router();
  inner.param('id', (_req, _res, next) => next());
  inner.get('/books/:id', pass, answer);
  inner.get('/fails/:id', function fails() {
    throw boom;
  });
  app.use(pass);
  app.use('/api', inner);
  const mounted = express();
  mounted.get('/page', answer);
  app.use('/site', mounted);
  app.get('/late', function late(_req, res) {
    setImmediate(() => res.end());
  });
  app.get('/twice', (_req, _res, next) => next('route'), answer);
  app.get('/twice', answer);
  app.get('/lost', function lost(_req, _res, next) {
    next(boom);
  });
  app.use(function repair(error: unknown, req: http.IncomingMessage, res: http.ServerResponse, next: Next) {
    if (req.url === '/lost') return next(error);
    res.statusCode = 500;
    res.end('repaired');
  });
  return app;
}

for (const [version, entry] of [
  ['Express 5', 'index.js'],
  ['Express 4', 'v4.js'],
] as const) {
  for (const door of doors) {
    describe(`the channels of Nonstop, ${version}, ${door.name}`, () => {
      const express = require(path.join(subject, entry)) as Express;
      const server = door.createServer({}, build(express, door)).listen(0, '127.0.0.1');
      after(() => server.close());

      /** Waits for the end of the answer at the client and at the server: traces end then. */
      async function ask(url: string, on = server): Promise<string> {
        if (!on.listening) await once(on, 'listening');
        const closed = new Promise<void>((resolve) => {
          on.once('request', (_req, res: http.ServerResponse) => res.once('close', () => setImmediate(resolve)));
        });
        const client = await RawClient.open(on);
        void client.send(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        const { status } = await client.answer();
        await closed;
        client.drop();
        return String(status);
      }
      const trace = (url: string, names?: readonly Name[]): Promise<string[]> => heard(() => ask(url), names);

      test('a request, its middleware, router, route and handlers start and end, in this order', async () => {
        const lines = (await trace('/api/books/7')).filter((line) => !/middleware (query|expressInit) /.test(line));
        assert.deepEqual(lines, [
          'request start',
          'layer start middleware pass /',
          'layer asyncStart middleware pass /',
          'layer asyncEnd middleware pass /',
          'layer start router router /api',
          'route start /api/books/:id',
          'layer start handler pass /api/books/:id',
          'layer asyncStart handler pass /api/books/:id',
          'layer asyncEnd handler pass /api/books/:id',
          'layer start handler answer /api/books/:id',
          'layer end handler answer /api/books/:id',
          'layer end handler pass /api/books/:id',
          'route end /api/books/:id',
          'layer end router router /api',
          'layer end middleware pass /',
          'request end',
          'layer asyncStart handler answer /api/books/:id',
          'layer asyncEnd handler answer /api/books/:id',
          'route asyncStart /api/books/:id',
          'route asyncEnd /api/books/:id',
          'layer asyncStart router router /api',
          'layer asyncEnd router router /api',
          'request asyncStart /api/books/:id',
          'request asyncEnd /api/books/:id',
        ]);
      });

      test('an error is published once, and with the handler, the route and the router that it leaves', async () => {
        const lines = onlyEnds(await trace('/api/fails/7')).filter((line) => !/ middleware /.test(line));
        assert.deepEqual(lines, [
          'request start',
          'layer start router router /api',
          'route start /api/fails/:id',
          'layer start handler fails /api/fails/:id',
          'error Error: boom of /api/fails/:id',
          'layer error handler fails /api/fails/:id with Error: boom',
          'layer asyncEnd handler fails /api/fails/:id with Error: boom',
          'route error /api/fails/:id with Error: boom',
          'route asyncEnd /api/fails/:id with Error: boom',
          'layer error router router /api with Error: boom',
          'layer asyncEnd router router /api with Error: boom',
          'layer start error repair /',
          'layer asyncEnd error repair /',
          'request asyncEnd /api/fails/:id',
        ]);
      });

      test('the error that no handler takes is the error of the request, which ends with its answer', async () => {
        let status = '';
        const lines = await heard(async () => {
          status = await ask('/lost');
        });
        assert.equal(status, '500');
        const ends = onlyEnds(lines).filter((line) => /^(request|error)/.test(line));
        assert.deepEqual(ends, [
          'request start',
          'error Error: boom of /lost',
          'request error with Error: boom',
          'request asyncEnd /lost with Error: boom',
        ]);
      });

      test("a param that cannot be decoded is an error, next('route') is not", async () => {
        const undecodable = (await trace('/api/books/%ff')).filter((line) => line.startsWith('error'));
        assert.equal(undecodable.length, 1);
        assert.match(undecodable.join(), /URIError|Failed to decode/);
        const twice = onlyEnds(await trace('/twice')).filter((line) => /^(route|error)/.test(line));
        assert.deepEqual(twice, [
          'route start /twice',
          'route asyncEnd /twice',
          'route start /twice',
          'route asyncEnd /twice',
        ]);
      });

      test('a handler that answers later ends with its answer, a mounted application is one layer of the same request', async () => {
        const late = (await trace('/late')).filter((line) => /late|request/.test(line));
        assert.deepEqual(late.slice(-7), [
          'request end',
          'layer asyncStart handler late /late',
          'layer asyncEnd handler late /late',
          'route asyncStart /late',
          'route asyncEnd /late',
          'request asyncStart /late',
          'request asyncEnd /late',
        ]);
        const mounted = onlyEnds(await trace('/site/page')).filter((line) => !/ middleware /.test(line));
        assert.deepEqual(mounted, [
          'request start',
          'layer start router mounted_app /site',
          'route start /site/page',
          'layer start handler answer /site/page',
          'layer asyncEnd handler answer /site/page',
          'route asyncEnd /site/page',
          'layer asyncEnd router mounted_app /site',
          'request asyncEnd /site/page',
        ]);
      });

      test('a subscriber of requests only gets no handlers, and a path without a route has none', async () => {
        assert.deepEqual(await trace('/api/books/7', ['request']), [
          'request start',
          'request end',
          'request asyncStart /api/books/:id',
          'request asyncEnd /api/books/:id',
        ]);
        assert.deepEqual((await trace('/nowhere', ['request'])).at(-1), 'request asyncEnd');
      });

      test('a subscriber of one channel alone hears of it what one of all channels hears', async () => {
        const url = '/api/fails/7';
        const all = await trace(url);
        for (const name of NAMES) {
          for (const event of EVENTS) {
            const wanted = all.filter((line) => `${line} `.startsWith(`${name} ${event} `));
            assert.ok(wanted.length > 0 || name + event === 'requesterror', `${name} ${event}`);
            assert.deepEqual(await heard(() => ask(url), [name], [event]), wanted, `${name} ${event}`);
          }
        }
      });

      test('stores that are bound to start are active in the handlers and after them', async () => {
        const store = new AsyncLocalStorage<string>();
        const seen: unknown[] = [];
        const app = applicationOf(express, door);
        app.use((req: http.IncomingMessage, _res: unknown, next: Next) => {
          seen.push(store.getStore());
          setImmediate(next);
        });
        app.get('/', (_req, res) => {
          seen.push(store.getStore());
          res.end();
        });
        const other = door.createServer({}, app).listen(0, '127.0.0.1');
        const start = dc.channel('tracing:nonstop.request:start') as dc.Channel<string, TracedRequest>;
        start.bindStore(store, ({ req }) => `of ${req.url}`);
        try {
          await ask('/', other);
          assert.deepEqual(seen, ['of /', 'of /']);
        } finally {
          start.unbindStore(store);
          other.close();
        }
      });

      test('an application inside another framework passes the request back', async () => {
        const app = applicationOf(express, door);
        app.get('/mine', answer);
        const host = door.createServer({}, (req, res) => app(req, res, (error) => res.end(`left: ${String(error)}`)));
        host.listen(0, '127.0.0.1');
        const lines = await heard(() => ask('/yours', host), ['request']);
        host.close();
        assert.deepEqual(onlyEnds(lines), ['request start', 'request asyncEnd']);
      });

      test('an answer is the same with listeners as without', async () => {
        const answers = async (): Promise<string[]> => {
          const all: string[] = [];
          for (const url of ['/api/books/7', '/api/fails/7', '/lost', '/late', '/twice', '/site/page', '/nowhere']) {
            all.push(await ask(url));
          }
          return all;
        };
        const without = await answers();
        let during: string[] = [];
        await heard(async () => {
          during = await answers();
        });
        assert.deepEqual(during, without);
        assert.deepEqual(without, ['200', '500', '500', '200', '200', '200', '404']);
      });
    });
  }
}

test('a request over HTTP/2 is traced in the same way', async () => {
  const lines = await heard(async () => {
    const { session, close } = await serveApp(
      (app) => void app.get('/books/:id', (_req, res) => void res.send('book')),
    );
    const stream = session.request({ ':path': '/books/7' });
    stream.resume();
    await once(stream, 'close');
    await close();
  }, ['request', 'route']);
  assert.deepEqual(onlyEnds(lines), [
    'request start',
    'route start /books/:id',
    'route asyncEnd /books/:id',
    'request asyncEnd /books/:id',
  ]);
});
