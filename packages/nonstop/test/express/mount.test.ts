import assert = require('node:assert/strict');
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import express = require('express');
import { eachAsExpress, request, type Case } from '../support/beside-express.js';
import { frameworkOf, ours } from '../support/framework.js';

type Loose = Record<string, unknown>;

/** Extends a prototype with one method, as applications do. */
function extend(prototype: object, name: string, value: string): void {
  (prototype as Loose)[name] = () => value;
}

function ask(message: object, name: string): unknown {
  const method = (message as Loose)[name];
  return typeof method === 'function' ? (method as () => unknown)() : 'no such method';
}

const cases: Case[] = [
  ...['in front of the mount', 'in the mounted application', 'there, late'].flatMap((where) =>
    [
      ['req', 'other'],
      ['req', 'app'],
      ['res', 'other'],
      ['res', 'app'],
    ].map(([message, which]): Case => ({
      name: `an application that a program writes to ${message}.app ${where} stays: ${which}`,
      app: (app, kit, note) => {
        const make = frameworkOf(kit);
        const all: Record<string, express.Express> = { app, child: make(), sibling: make(), other: make() };
        const nameOf = (one: unknown): unknown => Object.keys(all).find((name) => all[name] === one);
        const say = (at: string) => (req: express.Request, res: express.Response, next: () => void) => {
          note([at, nameOf(req.app), nameOf(res.app)]);
          next();
        };
        const write = (at: string) => (req: express.Request, res: express.Response, next: () => void) => {
          if (at !== where) return next();
          (message === 'req' ? req : res).app = all[which];
          if (at === 'there, late') setTimeout(next, 1);
          else next();
        };
        app.use(write('in front of the mount'), say('app'));
        all['child'].use(say('child'), write('in the mounted application'), write('there, late'), say('child again'));
        all['sibling'].use(say('sibling'));
        app.use(all['child'], say('between'), all['sibling'], say('app again'));
        app.use((_req, res) => res.end());
      },
      send: request('GET /'),
      shows: /child again/,
    })),
  ),
  {
    name: 'req.app and res.app are the mounted application inside it and the parent again after it',
    app: (app, kit, note) => {
      const make = frameworkOf(kit);
      const [child, grandchild] = [make(), make()];
      const say = (where: string) => (req: express.Request, res: express.Response, next: () => void) => {
        const names = new Map<unknown, string>([
          [app, 'app'],
          [child, 'child'],
          [grandchild, 'grandchild'],
        ]);
        note([where, names.get(req.app), names.get(res.app), req.baseUrl, req.url]);
        next();
      };
      grandchild.use(say('grandchild'));
      child.use(say('child'), make.Router().use(say('router in child')), grandchild, say('child again'));
      app.use(say('app'));
      app.use('/in', child);
      app.use(say('app again'));
      app.use((_req, res) => res.end());
    },
    send: [request('GET /in/x', { Connection: 'keep-alive' }), request('GET /out')],
    shows: /grandchild/,
  },
  {
    name: 'an addition of a mounted application to its request and response is seen only inside it',
    app: (app, kit, note) => {
      const make = frameworkOf(kit);
      const [plain, child, grandchild] = [make(), make(), make()];
      extend(app.request, 'everywhere', 'app');
      extend(child.request, 'inside', 'child');
      extend(child.response, 'inside', 'child');
      const say = (where: string) => (req: express.Request, res: express.Response, next: () => void) => {
        note([
          where,
          ask(req, 'everywhere'),
          ask(req, 'inside'),
          ask(res, 'inside'),
          req.app === child,
          res.app === child,
        ]);
        next();
      };
      grandchild.use(say('grandchild'));
      plain.use(say('plain'));
      child.use(say('child'), grandchild, say('child again'));
      app.use(say('app'), plain, say('behind plain'), child, say('app again'), plain, say('end'));
      app.use((_req, res) => res.end());
    },
    send: request('GET /'),
    shows: /behind plain/,
  },
  {
    name: 'an extension that is added between two requests is seen by the second',
    app: (app, kit, note) => {
      const child = frameworkOf(kit)();
      child.use((req, _res, next) => {
        note(ask(req, 'late'));
        extend(child.request, 'late', 'yes');
        next();
      });
      app.use(child, (req, res) => {
        note(ask(req, 'late'));
        res.end();
      });
    },
    send: [request('GET /', { Connection: 'keep-alive' }), request('GET /')],
    shows: /yes/,
  },
  {
    name: 'an application that is called by a handler keeps the request when it passes it on',
    app: (app, kit, note) => {
      const make = frameworkOf(kit);
      const [host, child] = [make(), make()];
      extend(host.request, 'ofHost', 'host');
      const say = (where: string) => (req: express.Request, res: express.Response, next: () => void) => {
        note([where, req.app === app, req.app === child, req.app === host, res.app === host, ask(req, 'ofHost')]);
        next();
      };
      host.use(say('host'));
      child.use(say('child'), (req, res, next) => host(req, res, next), say('child again'));
      app.use(child, say('app'), (req, res, next) => host(req, res, next), say('app again'));
      app.use((_req, res) => res.end());
    },
    send: request('GET /'),
    shows: /host/,
  },
  ...(['req', 'res'] as const).map((which): Case => ({
    name: `a prototype that a handler of a mounted application gives to ${which} is not seen behind it`,
    app: (app, kit, note) => {
      const child = frameworkOf(kit)();
      child.use((req, res, next) => {
        const message = which === 'req' ? req : res;
        Object.setPrototypeOf(
          message,
          Object.create(Object.getPrototypeOf(message) as object, { own: { value: () => 'own' } }),
        );
        note(ask(message, 'own'));
        next();
      });
      app.use(child, (req, res) => {
        note([ask(req, 'own'), ask(res, 'own'), req.app === app, res.app === app]);
        res.end();
      });
    },
    send: request('GET /'),
    shows: /"own"/,
  })),
  {
    name: 'errors of a mounted application go to its own error handlers first, then to the parent',
    app: (app, kit, note) => {
      const child = frameworkOf(kit)();
      child.get('/', () => {
        throw new Error('inside');
      });
      child.use((error: Error, req: express.Request, _res: unknown, next: (error: unknown) => void) => {
        note([error.message, req.app === child]);
        next(error);
      });
      app.use(child);
      app.use((error: Error, req: express.Request, _res: unknown, next: (error: unknown) => void) => {
        note([error.message, req.app === app]);
        next(error);
      });
    },
    send: request('GET /'),
    shows: /inside/,
  },
  {
    name: 'settings of the parent apply in a mounted application',
    app: (app, kit, note) => {
      const child = frameworkOf(kit)();
      app.set('trust proxy', true).set('query parser', 'extended').disable('x-powered-by');
      child.use((req, res) => {
        note([req.ip, req.app.get('trust proxy'), req.query]);
        res.json({ etag: res.app.get('etag') });
      });
      app.use('/sub', child);
    },
    send: request('GET /sub/?a[b]=1', { 'X-Forwarded-For': '10.1.2.3' }),
    shows: /simple|10\.1\.2\.3/,
  },
];

eachAsExpress(cases);

test('a mounted application that adds nothing does not change the prototypes, and its settings are not printed with a request', async () => {
  const [app, child] = [ours(), ours()];
  child.set('secret', 'S3CR3T');
  let kept: unknown[] = [];
  let printed = '';
  child.use((req, res) => {
    printed = inspect(req) + inspect(res);
    kept = [Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response, req.app === child];
    res.end();
  });
  app.use('/sub', child);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub`;
  await fetch(url).then((answer) => answer.text());
  server.closeAllConnections();
  server.close();
  assert.deepEqual(kept, [true, true, true]);
  assert.doesNotMatch(printed, /S3CR3T/);
});

for (const [name, outer, inner] of [
  ["Express's application mounted in Nonstop's", ours, express],
  ["Nonstop's application mounted in Express's", express, ours],
] as const) {
  test(`${name} serves, shares locals and passes on`, async () => {
    const [app, child] = [outer(), inner()];
    app.use((_req, res, next) => {
      res.locals['outer'] = 1;
      next();
    });
    child.get('/here', (req, res) =>
      res.json({ locals: res.locals, app: req.app === child, query: req.query, base: req.baseUrl }),
    );
    child.use((_req, res, next) => {
      res.locals['inner'] = 2;
      next();
    });
    app.use('/sub', child as never);
    app.use(
      (req, res) => void res.json({ locals: res.locals, app: req.app === app, query: req.query, base: req.baseUrl }),
    );
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers = await Promise.all(
      ['/sub/here?a=1', '/sub/on?b=2'].map(async (path) => (await fetch(base + path)).json()),
    );
    server.closeAllConnections();
    server.close();
    assert.deepEqual(answers, [
      { locals: { outer: 1 }, app: true, query: { a: '1' }, base: '/sub' },
      { locals: { outer: 1, inner: 2 }, app: true, query: { b: '2' }, base: '' },
    ]);
  });
}
