import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { inherits } from 'node:util';
import type express = require('express');
import { inner, type Inner } from '../support/deep.js';
import { scenes, told, tried, type Scene } from '../support/scenes.js';
import { version } from '../support/subject.js';
import type { Framework } from '../support/framework.js';

const LAYERS = version === 4 ? 'lib/router' : 'router/lib';
const ROUTER = version === 4 ? 'lib/router/index' : 'router/index';
const MODULES = [
  'lib/application',
  'lib/express',
  'lib/request',
  'lib/response',
  'lib/utils',
  'lib/view',
  ROUTER,
  `${LAYERS}/layer`,
  `${LAYERS}/route`,
  ...(version === 4 ? ['lib/middleware/init', 'lib/middleware/query'] : []),
];

/** What Express makes with functions, and arguments for each. */
const CONSTRUCTORS: readonly (readonly [name: string, args: readonly unknown[]])[] = [
  ['lib/view', ['a.x', { root: __dirname, engines: { '.x': () => undefined } }]],
  [`${LAYERS}/layer`, ['/', {}, function named() {}]],
  [`${LAYERS}/route`, ['/a']],
];

/** Names and kinds of a module's exports; of a function also its name and what its instances inherit. */
const membersOf = (value: Inner): unknown => {
  const { name, prototype } = value as Partial<Function>;
  const own = Object.keys(value)
    .toSorted()
    .map((key) => [key, typeof Object.getOwnPropertyDescriptor(value, key)?.value]);
  const inherited: string[] = [];
  for (const key in prototype) inherited.push(key);
  return [own, typeof value === 'function' && [name, inherited.toSorted()]];
};

const members: Record<string, Scene> = Object.fromEntries(
  MODULES.filter((name) => !/\/(?:layer|route)$/.test(name)).map((name) => [
    `${name} has the members of Express's`,
    (make) => membersOf(inner(make, name)),
  ]),
);

/** A change to a module that can be undone. */
function patching(owner: Inner, name: string, around: (own: (...args: unknown[]) => unknown) => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, writable: true, value: around(before?.value) });
  return () => {
    if (before === undefined) delete owner[name];
    else Object.defineProperty(owner, name, before);
  };
}

/** @returns the answer to `GET /a/7` of an application that is created while the patch is in place */
async function patched(make: Framework, patch: () => () => void): Promise<unknown> {
  const undo = patch();
  try {
    return await answerOf(make);
  } finally {
    undo();
  }
}

async function answerOf(make: Framework): Promise<unknown> {
  const app = make() as express.Express;
  const router = make.Router();
  router.param('id', (_req, _res, next) => next());
  router.get('/:id', (req, res) => void res.send(`${req.params['id']} ${(req as Inner).added ?? 'nothing'}`));
  app.engine('x', (_path, _options, done) => done(null, 'rendered'));
  app.use('/a', router);
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a/7`);
    return [await answer.text(), answer.headers.get('x-seen')];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const run = version === 4 ? 'handle_request' : 'handleRequest';
const handles = version === 4 ? '_handles_method' : '_handlesMethod';

/** Counts the calls of a patched function in a response field. */
const seeing =
  (resAt: number) =>
  (own: (...args: unknown[]) => unknown): unknown =>
    function (this: unknown, ...args: unknown[]) {
      const res = (resAt === -1 ? this : args[resAt]) as http.ServerResponse;
      res.setHeader('X-Seen', `${String(res.getHeader('X-Seen') ?? '')}x`);
      return own.apply(this, args);
    };

const patches: Record<string, (make: Framework) => () => void> = {
  'lib/response send': (make) => patching(inner(make, 'lib/response'), 'send', seeing(-1)),
  'lib/response status, which is not called': (make) => patching(inner(make, 'lib/response'), 'status', seeing(-1)),
  'lib/request, a member more': (make) => patching(inner(make, 'lib/request'), 'added', () => 'added'),
  'lib/application handle': (make) => patching(inner(make, 'lib/application'), 'handle', seeing(1)),
  'the layers, where they run': (make) => patching(inner(make, `${LAYERS}/layer`).prototype, run, seeing(1)),
  'the layers, where they match': (make) =>
    patching(
      inner(make, `${LAYERS}/layer`).prototype,
      'match',
      (own) =>
        function (this: unknown, path: unknown) {
          return own.call(this, path === '/7' ? '/8' : path);
        },
    ),
  'the handle of layers': (make) => patchingHandle(inner(make, `${LAYERS}/layer`).prototype),
  'the routes, where they dispatch': (make) =>
    patching(inner(make, `${LAYERS}/route`).prototype, 'dispatch', seeing(1)),
  'the routes, where they are asked for a method': (make) =>
    patching(inner(make, `${LAYERS}/route`).prototype, handles, () => () => false),
  'routers, where they handle': (make) => {
    const router = inner(make, ROUTER);
    return patching(version === 4 ? router : router.prototype, 'handle', seeing(1));
  },
  'routers, where params get callbacks': (make) => {
    const router = inner(make, ROUTER);
    return patching(
      version === 4 ? router : router.prototype,
      'param',
      (own) =>
        function (this: unknown, name: unknown) {
          return own.call(
            this,
            name,
            (req: Inner, _res: unknown, next: () => void) => ((req.added = 'by param'), next()),
          );
        },
    );
  },
};

/** Works as express-async-errors does: an accessor on the prototype wraps each handler of a layer. */
function patchingHandle(prototype: Inner): () => void {
  const kOwn = Symbol('own');
  Object.defineProperty(prototype, 'handle', {
    configurable: true,
    enumerable: true,
    get() {
      return this[kOwn];
    },
    set(handle) {
      const wrapped = seeing(1)(handle);
      this[kOwn] = handle.length === 4 ? handle : (...args: unknown[]) => (wrapped as typeof handle)(...args);
      Object.defineProperty(this[kOwn], 'length', { value: handle.length });
    },
  });
  return () => void delete prototype.handle;
}

const effects: Record<string, Scene> = Object.fromEntries(
  Object.entries(patches).map(([name, patch]) => [
    `a patch has effect: ${name}`,
    (make: Framework) => patched(make, () => patch(make)),
  ]),
);

const TYPES = [
  'html',
  'js',
  '.css',
  'unknown',
  '',
  'text/html',
  'text/html;q=0.5',
  'a/b; level=1 ; q = .25 ;x',
  ' a/b ; a=b=c',
  'a/b;',
  ';a/b',
  'a/b;q',
  'a/b;=;c=',
];
const BODIES: unknown[] = [
  '',
  'text',
  'é',
  'x'.repeat(3000),
  Buffer.from('bytes'),
  Buffer.alloc(0),
  new Uint8Array([1, 2]),
];
const QUERIES = ['', 'a=1', 'a[b]=1&a[c]=2', 'a[]=1&a[]=2', 'a=1&a=2', 'toString=1', 'a[25]=x', '%zz=%', 'a+b=c+d'];
const SETTINGS: unknown[] = [true, false, 'weak', 'strong', 'simple', 'extended', 'other', undefined, null, 0, 7];
const TRUST: unknown[] = [
  true,
  false,
  0,
  1,
  2,
  '',
  'loopback',
  '10.0.0.1, loopback',
  ['10.0.0.0/8'],
  'nonsense',
  undefined,
  null,
];
const CHARSETS = [
  ['text/html', 'utf-8'],
  ['text/html; charset=x', 'utf-8'],
  ['text/html; a=b', 'UTF-8'],
  ['', 'utf-8'],
  ['text/html', ''],
  ['nonsense', 'utf-8'],
  ['a/b; c', 'x'],
];

const utils: Record<string, Scene> = {
  'utils.normalizeType': (make) => TYPES.map((type) => tried(() => inner(make, 'lib/utils').normalizeType(type))),
  'utils.normalizeTypes': (make) => inner(make, 'lib/utils').normalizeTypes(TYPES),
  'utils.etag and wetag': (make) => {
    const { etag, wetag } = inner(make, 'lib/utils');
    return BODIES.map((body) => [etag(body), wetag(body), tried(() => etag(body, 'latin1'))]);
  },
  'utils.compileETag': (make) =>
    SETTINGS.map((value) => tried(() => inner(make, 'lib/utils').compileETag(value)?.('text'))),
  'utils.compileQueryParser': (make) =>
    SETTINGS.map((value) =>
      tried(() => {
        const parse = inner(make, 'lib/utils').compileQueryParser(value);
        return parse && QUERIES.map((query) => parse(query));
      }),
    ),
  'utils.compileTrust': (make) =>
    TRUST.map((value) =>
      tried(() => {
        const trust = inner(make, 'lib/utils').compileTrust(value);
        return ['127.0.0.1', '10.0.0.1', '8.8.8.8'].flatMap((address) => [0, 1, 2].map((hop) => trust(address, hop)));
      }),
    ),
  'utils.setCharset': (make) =>
    CHARSETS.map(([type, charset]) => tried(() => inner(make, 'lib/utils').setCharset(type, charset))),
  'functions as settings are given back': (make) => {
    const { compileETag, compileQueryParser, compileTrust } = inner(make, 'lib/utils');
    const own = (): void => undefined;
    return [compileETag, compileQueryParser, compileTrust].map((compile) => compile(own) === own);
  },
  'utils of Express 4 alone': (make) => {
    const { isAbsolute, flatten, contentDisposition } = inner(make, 'lib/utils');
    if (version === 5) return [isAbsolute, flatten, contentDisposition];
    return [
      ['/a', 'C:\\a', 'C:/a', '\\\\a', 'a', './a', ''].map((path) => isAbsolute(path)),
      flatten([1, [2, [3, [4]]], []]),
      flatten([1, [2, [3, [4]]]], 1),
      ['a.txt', 'é.txt', 'a b', '"', undefined, '€.txt', '/x/y'].map((name) => tried(() => contentDisposition(name))),
    ];
  },
};

scenes({
  ...members,
  'they are the parts of what the bare name gives': (make) => {
    const parts = {
      application: 'lib/application',
      request: 'lib/request',
      response: 'lib/response',
      Router: ROUTER,
      Route: `${LAYERS}/route`,
    };
    const equal = Object.entries(parts).map(([name, module]) => inner(make, module) === (make as Inner)[name]);
    return [
      ...equal,
      inner(make, 'lib/express') === make,
      new (make as Inner)().get('view') === inner(make, 'lib/view'),
    ];
  },
  'layers of a router are of the class': (make) => {
    const router = make.Router().get('/', () => undefined) as Inner;
    const Layer = inner(make, `${LAYERS}/layer`);
    return [
      router.stack[0] instanceof Layer,
      router.stack[0].route.stack[0] instanceof Layer,
      told(router.stack[0].route instanceof inner(make, `${LAYERS}/route`)),
    ];
  },
  ...Object.fromEntries(
    CONSTRUCTORS.flatMap(([name, args]): [string, Scene][] => [
      [
        `${name} lists the methods of its prototype`,
        (make) => {
          const names: string[] = [];
          for (const each in inner(make, name).prototype) names.push(each);
          return names.toSorted();
        },
      ],
      [
        `${name} is called for an object of the program's own`,
        (make) => {
          const Parent = inner(make, name);
          function Heir(this: object): void {
            Parent.apply(this, args);
          }
          inherits(Heir, Parent);
          const heir = new (Heir as unknown as new () => Inner)();
          return [heir instanceof Parent, heir.path, heir.name, heir.ext, heir.stack, heir.constructor === Heir];
        },
      ],
    ]),
  ),
  'a function that inherits from lib/view finds its own files': (make) => {
    const View = inner(make, 'lib/view');
    function Mine(this: object, ...args: unknown[]): void {
      View.apply(this, args);
    }
    inherits(Mine, View);
    (Mine as unknown as { prototype: Inner }).prototype.lookup = (name: string) => `/found/${name}`;
    const app = make();
    app.set('view', Mine);
    app.engine('x', (file, _options, done) => done(null, file));
    return new Promise((resolve) => app.render('a.x', (...args: unknown[]) => resolve(args)));
  },
  'without a patch': (make) => answerOf(make),
  ...effects,
  'a patch has effect: lib/view render': async (make) => {
    const undo = patching(
      inner(make, 'lib/view').prototype,
      'render',
      () =>
        function (_options: unknown, done: (...args: unknown[]) => void) {
          done(null, 'by the patch');
        },
    );
    try {
      const app = make();
      app.engine('x', () => undefined);
      app.set('views', __dirname);
      app.set(
        'view',
        class extends inner(make, 'lib/view') {
          lookup() {
            return __filename;
          }
        },
      );
      return await new Promise((resolve) => app.render('a.x', (...args: unknown[]) => resolve(args)));
    } finally {
      undo();
    }
  },
  ...utils,
});
