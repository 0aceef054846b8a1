import assert = require('node:assert/strict');
import dc = require('node:diagnostics_channel');
import express = require('express');
import { test } from 'node:test';
import { Router } from '../../src/routing/router.js';
import { play, type PlayableRouter } from '../support/play-router.js';

type Handle = (...args: never[]) => unknown;
type Next = (err?: unknown) => void;

/** A router of Express or of Nonstop, as far as these cases use it. */
interface Traced extends PlayableRouter {
  get(path: string | readonly string[], ...handles: Handle[]): unknown;
}

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

/** The messages of the channel while `run` runs, with the parts that both routers have. */
async function traced(run: () => Promise<unknown>, events: readonly string[] = EVENTS): Promise<unknown[]> {
  const log: unknown[] = [];
  const listeners = events.map((event) => {
    const channel = dc.channel(`tracing:express.router.request:${event}`);
    const listener = (message: unknown): void => {
      const context = message as Record<string, unknown>;
      const { layer, handler, route, param, errorHandler, incomingError, result } = context;
      const layerName = (layer as { name: string }).name;
      const failed = 'error' in context ? `with ${String(context['error'])}` : undefined;
      log.push([
        event,
        layerName,
        (handler as { name: string }).name,
        String(route),
        param,
        errorHandler,
        String(incomingError),
        result,
        failed,
        Object.keys(context),
      ]);
    };
    channel.subscribe(listener);
    return { channel, listener };
  });
  try {
    await run();
  } finally {
    for (const { channel, listener } of listeners) channel.unsubscribe(listener);
  }
  return log;
}

const boom = new Error('boom');
const cases: readonly { readonly name: string; readonly build: (router: Traced, inner: Traced) => void }[] = [
  {
    name: 'middleware and a route',
    build: (r) => {
      r.use(function mw(_q: never, _s: never, n: Next) {
        n();
      });
      r.get('/x', function end() {
        return 7;
      });
    },
  },
  {
    name: 'next("route") and next("router")',
    build: (r) => {
      r.get('/x', (_q: never, _s: never, n: Next) => n('route'));
      r.get('/x', (_q: never, _s: never, n: Next) => n('router'));
    },
  },
  {
    name: 'an error passed through two error handlers',
    build: (r) => {
      r.get('/x', (_q: never, _s: never, n: Next) => n(boom));
      r.use((e: Error, _q: never, _s: never, n: Next) => n(e));
      r.use((_e: Error, _q: never, _s: never, n: Next) => n());
      r.get('/x', (_q: never, _s: never, n: Next) => n(boom));
    },
  },
  {
    name: 'a thrown error',
    build: (r) => {
      r.get('/x', () => {
        throw boom;
      });
      r.use((_e: Error, _q: never, _s: never, n: Next) => n(new Error('other')));
    },
  },
  {
    name: 'thrown signals and falsy values',
    build: (r) => {
      r.get('/x', () => {
        throw 'route' as unknown;
      });
      r.get('/x', () => {
        throw undefined as unknown;
      });
    },
  },
  {
    name: 'resolved and rejected promises',
    build: (r) => {
      r.use(async function slow(_q: never, _s: never, n: Next) {
        await Promise.resolve();
        n();
        return 1;
      });
      r.get('/x', () => Promise.reject(boom));
      r.use((_e: Error, _q: never, _s: never, n: Next) => Promise.reject(n()));
    },
  },
  {
    name: 'an error before the promise',
    build: (r) => {
      r.get('/x', (_q: never, _s: never, n: Next) => {
        n(boom);
        return Promise.resolve(3);
      });
    },
  },
  {
    name: 'params',
    build: (r) => {
      r.param('id', function first(_q: never, _s: never, n: Next) {
        n();
        return 2;
      });
      r.param('id', async function second(_q: never, _s: never, n: Next) {
        await Promise.resolve();
        n();
      });
      r.get('/:id', (_q: never, _s: never, n: Next) => n());
    },
  },
  {
    name: 'a param that throws',
    build: (r) => {
      r.param('id', () => {
        throw boom;
      });
      r.get('/:id', () => 1);
    },
  },
  {
    name: 'params that throw signals and falsy values',
    build: (r) => {
      for (const [i, thrown] of ['route', 'router', undefined, ''].entries()) {
        r.param(`id${i}`, () => {
          throw thrown as unknown;
        });
        r.get(`/:id${i}`, () => 1);
      }
    },
  },
  {
    name: 'a param whose promise is rejected',
    build: (r) => {
      r.param('id', () => Promise.reject(boom));
      r.get('/:id', () => 1);
    },
  },
  {
    name: 'thenables kept, broken, broken twice and broken themselves',
    build: (r) => {
      r.use((_q: never, _s: never, n: Next) => ({ then: (kept: (value: unknown) => void) => (kept(7), kept(8), n()) }));
      r.get('/x', () => ({ then: (_kept: unknown, broken: (error?: unknown) => void) => broken() }));
      r.use((_e: Error, _q: never, _s: never, _n: Next) => ({
        then: (_kept: unknown, broken: (error: unknown) => void) => (broken(boom), broken(new Error('again'))),
      }));
      r.use((_e: Error, _q: never, _s: never, _n: Next) => ({
        then: () => {
          throw new Error('then itself');
        },
      }));
    },
  },
  {
    name: 'params whose thenables are kept, broken, broken twice and broken themselves',
    build: (r) => {
      const outcomes = [
        (n: Next) => ({ then: (kept: (value: unknown) => void) => (kept(7), kept(8), n()) }),
        () => ({ then: (_kept: unknown, broken: (error?: unknown) => void) => broken() }),
        () => ({
          then: (_kept: unknown, broken: (error: unknown) => void) => (broken(boom), broken(new Error('2nd'))),
        }),
        () => ({
          then: () => {
            throw new Error('then itself');
          },
        }),
      ];
      for (const [i, outcome] of outcomes.entries()) {
        r.param(`id${i}`, (_q: never, _s: never, n: Next) => outcome(n));
        r.get(`/:id${i}`, (_q: never, _s: never, n: Next) => n());
        r.use((_e: Error, _q: never, _s: never, n: Next) => n());
      }
    },
  },
  {
    name: 'a mounted router',
    build: (r, inner) => {
      inner.get(['/y', '/'], (_q: never, _s: never, n: Next) => n(boom));
      r.use(['/a', '/x'], inner);
    },
  },
  {
    name: 'a param that cannot be decoded',
    build: (r, inner) => {
      inner.get('/:id', () => 1);
      r.use('/', inner);
      r.get('/:bad', () => 1);
      r.use((e: Error, _q: never, _s: never, n: Next) => n(e));
    },
  },
];

async function transcriptsOf({ name, build }: (typeof cases)[number], events?: readonly string[]): Promise<unknown[]> {
  const transcripts: unknown[] = [];
  for (const make of [express.Router, Router]) {
    const router = make() as unknown as Traced;
    build(router, make() as unknown as Traced);
    const url = name.includes('decoded') ? '/%zz' : '/x';
    const transcript = await traced(() => play(router, 'GET', url), events);
    assert.ok(transcript.length > 0);
    transcripts.push(transcript);
  }
  return transcripts;
}

for (const each of cases) {
  test(`the channel reports the same as Express's: ${each.name}`, async () => {
    const [expected, actual] = await transcriptsOf(each);
    assert.deepEqual(actual, expected);
  });
}

for (const event of EVENTS) {
  test(`the channel reports the same as Express's to a subscriber of ${event} alone`, async () => {
    const [expected, actual] = await transcriptsOf(
      cases.find(({ name }) => name === 'resolved and rejected promises')!,
      [event],
    );
    assert.deepEqual(actual, expected);
  });
}
