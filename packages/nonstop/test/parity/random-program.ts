import { version } from '../support/subject.js';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Seeded } from '../support/seeded.js';
import {
  BEFORE_FILES,
  FILE_ENDS,
  FILE_FIELDS,
  FILE_TARGETS,
  METHODS_OF_FILES,
  STATIC,
  VIEW_SETTINGS,
} from './files-and-views.js';
import { ODD_MIDDLEWARE, ODD_SETTINGS, oddAnswer, oddStep } from './odd-handlers.js';
import { ODD_EXPECTATIONS, oddBody, oddField, oddTarget } from '../support/odd-requests.js';
import { BEFORE_PACKAGES, PACKAGE_BODIES, PACKAGE_ENDS, PACKAGE_FIELDS, PACKAGES, SESSIONS } from './packages.js';
import { REACHES, REACHING_PASSES, wrapsOf } from './reaches.js';

/** A mount path: its JavaScript, and a target that should match it. */
export interface PathPlan {
  readonly source: string;
  readonly like: string;
}

/** A handler: JavaScript statements, the last of which answers or calls `next()`. */
export interface HandlerPlan {
  readonly name: string;
  readonly takesErrors?: true;
  readonly isAsync?: true;
  readonly statements: readonly string[];
}

/** Settings of an application or options of a router: name, and JavaScript of the value. */
export type Choices = readonly (readonly [name: string, source: string])[];

export type LayerPlan =
  | { readonly kind: 'use'; readonly path?: PathPlan; readonly handlers: readonly HandlerPlan[] }
  | { readonly kind: 'verb'; readonly verb: string; readonly path: PathPlan; readonly handlers: readonly HandlerPlan[] }
  | {
      readonly kind: 'route';
      readonly path: PathPlan;
      readonly verbs: readonly { readonly verb: string; readonly handlers: readonly HandlerPlan[] }[];
    }
  | { readonly kind: 'param'; readonly names: string; readonly statements: readonly string[] }
  | ({ readonly kind: 'router' | 'app'; readonly path?: PathPlan } & ScopePlan);

/** An owner of layers: the application, a mounted one, a router. */
export interface ScopePlan {
  readonly choices: Choices;
  readonly layers: readonly LayerPlan[];
}

export interface RequestPlan {
  readonly line: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** A character for each octet. */
  readonly body: string;
  /** 1.1 by default. */
  readonly version?: '1.0';
  /** The octets of a chunk; without it the body has a Content-Length. */
  readonly chunked?: number;
}

/** An application and its requests as data, which can be written as a program and shrunk. */
export interface ProgramPlan extends ScopePlan {
  /**
   * Each request is sent when the one before is answered. The program changes what its requests share, and docs/compat has a row about when
   * requests that are sent at once see that.
   */
  readonly apart?: true;
  /** It sends files and renders views: it needs a folder and a view engine. */
  readonly files?: true;
  readonly requests: readonly RequestPlan[];
}

/** @param source JavaScript of the path @param like matching targets, the preferred one first */
const path = (source: string, like: string): PathPlan => ({ source, like });

// Few words, so that paths and targets match often, in spellings that some rules treat as equal.
const WORDS = ['a', 'b', 'a', 'b', 'A', 'ab', 'x.json', 'a-b', '%C3%A9', 'a%20b', '%2F', '7'];
const NAMES = ['id', 'id', 'name', version === 4 ? 'x1' : '$x', '_', 'constructor'];

const ODD_PATHS_OF_4: readonly PathPlan[] = [
  path("'/'", '/'),
  path("''", ''),
  path("'*'", '/a/b'),
  path("'/*'", '/a/b'),
  path("'/a/*'", '/a/b/c'),
  path("'/*/b'", '/a/b'),
  path("'/a*'", '/ab'),
  path("'/:lang?/a'", '/b/a'),
  path("'/a/:more?'", '/a/b'),
  path("'/a.:ext?'", '/a.json'),
  path("'/:id(\\\\d+)'", '/7'),
  path("'/:id(a|b)'", '/a'),
  path("'/:rest*'", '/a/b'),
  path("'/(a|b)/:id'", '/b/7'),
  path("'/a?b+'", '/ab'),
  path("'/:from-:to'", '/a-b'),
  path("'/:file.:ext'", '/x.json'),
  path("'/é'", '/%C3%A9'),
  path("'/a b'", '/a%20b'),
  path("'/a/'", '/a/'),
  path("'//a'", '//a'),
  path('/^\\/a(b)?/', '/ab'),
  path('/^\\/(?<word>[a-z]+)$/i', '/b'),
  path('/b/', '/ab'),
  path('/^\\/(\\d+)(?:\\/(\\w+))?\\/?$/', '/7/a'),
  path('/^(.*)$/', '/a'),
  path("['/a', '/b/:id', '/x.json']", '/b/a'),
  path("['/:id', '/a*']", '/a'),
];

const ODD_PATHS_OF_5: readonly PathPlan[] = [
  path("'/'", '/'),
  path("''", ''),
  path("'/*rest'", '/a/b'),
  path("'/a/*rest'", '/a/b/c'),
  path("'/*rest/b'", '/a/b'),
  path("'/*one/*two'", '/a/b/c'),
  path("'{/:lang}/a'", '/b/a'),
  path("'/a{/:more}'", '/a/b'),
  path("'/a{.:ext}'", '/a.json'),
  path("'/:from-:to'", '/a-b'),
  path("'/:file.:ext'", '/x.json'),
  path('\'/:"two words"\'', '/a'),
  path("'/a\\\\:b'", '/a:b'),
  path("'/é'", '/%C3%A9'),
  path("'/a b'", '/a%20b'),
  path("'/a/'", '/a/'),
  path("'//a'", '//a'),
  path('/^\\/a(b)?/', '/ab'),
  path('/^\\/(?<word>[a-z]+)$/i', '/b'),
  path('/b/', '/ab'),
  path('/^\\/(\\d+)(?:\\/(\\w+))?\\/?$/', '/7/a'),
  path('/^(.*)$/', '/a'),
  path("['/a', '/b/:id', '/x.json']", '/b/a'),
  path("['/:id', /^\\/a/]", '/a'),
  path("['/a', ['/b', '/*rest']]", '/b'),
];

const ODD_PATHS = version === 4 ? ODD_PATHS_OF_4 : ODD_PATHS_OF_5;

const VERBS = ['get', 'get', 'get', 'post', 'put', 'all', 'head', 'options', 'delete', 'patch'];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'];

const BEFORE = [
  "req.url = '/b' + req.url",
  "req.url = '/a/b?x=1'",
  "req.url = req.url.replace('/a', '/b')",
  "req.url = req.url.split('?')[0] + '?rewritten=1'",
  "req.url = '/'",
  "req.url = '/?q'",
  "req.url = '//a/b'",
  "req.method = 'POST'",
  "req.method = 'GET'",
  "req.params.id = 'changed'",
  "req.params = { replaced: 'yes' }",
  "req.baseUrl = '/elsewhere'",
  "req.originalUrl = '/other'",
  'res.locals.seen = (res.locals.seen || 0) + 1',
  "res.locals.title = 'title'",
  'res.status(201)',
  'res.status(500)',
  "res.type('text')",
  "res.set('Cache-Control', 'no-store')",
  "res.vary('Accept')",
  "res.cookie('seen', 'yes')",
  "res.links({ next: '/next' })",
  "res.set('ETag', '\"mine\"')",
  "res.removeHeader('X-Powered-By')",
];

/** Only for Express 4. */
const OLDER_ENDS = [
  "res.send(201, 'text')",
  "res.send('text', 202)",
  'res.send(404)',
  'res.json(201, { a: 1 })',
  'res.jsonp({ a: 1 }, 203)',
  "res.redirect('back')",
  "res.redirect('/there', 301)",
  "res.send(req.param('id', 'none') + req.host)",
  "res.status('404').send(String(req.acceptsEncoding('gzip')))",
];

const ENDS = [
  'tell(req, res)',
  'tell(req, res)',
  'tell(req, res)',
  'tell(req, res)',
  "res.send('text of ' + req.path)",
  'res.send(Buffer.from(req.url))',
  'res.json({ path: req.path, params: req.params })',
  'res.jsonp(req.query)',
  'res.sendStatus(204)',
  'res.sendStatus(404)',
  "res.redirect(req.baseUrl + '/there')",
  "res.status(301).location('..').end()",
  "res.format({ html: () => res.send('<p>'), json: () => res.json([1]), default: () => res.send('default') })",
  "res.write('in '); res.end('pieces')",
  'res.end()',
  ...(version === 4 ? OLDER_ENDS : []),
];

const PASSES = [
  'next()',
  'next()',
  'next()',
  'next()',
  'next()',
  'next()',
  'next()',
  "next('route')",
  "next('router')",
  'setImmediate(next)',
  'Promise.resolve().then(() => next())',
  'process.nextTick(next)',
  'next(0)',
  "next('')",
];

const FAILS = [
  "next(fail('passed'))",
  "next(fail('refused', 403))",
  "throw fail('thrown')",
  "throw fail('gone', 410)",
  "throw 'a text'",
  "return Promise.reject(fail('rejected'))",
  'return Promise.reject()',
  "next('some text')",
  'next({ status: 418 })',
  "next(Object.assign(fail('with fields', 429), { headers: { 'Retry-After': '7' } }))",
  'undefined.missing',
].filter((statement) => version === 5 || !statement.includes('Promise.reject'));

const ERROR_ENDS = [
  'tell(req, res, err)',
  'tell(req, res, err)',
  'tell(req, res, err)',
  'next(err)',
  'next(err)',
  'next()',
  "next('route')",
  "next('router')",
  "throw fail('again', 502)",
  "next(fail('other'))",
];

const PARAM_ENDS = [
  'next()',
  'next()',
  'next()',
  'next()',
  "next(fail('param', 422))",
  "throw fail('thrown by param')",
  "next('route')",
  "next('router')",
  'setImmediate(next)',
];

const SETTINGS: Choices = [
  ['case sensitive routing', 'true'],
  ['strict routing', 'true'],
  ['query parser', "'extended'"],
  ['query parser', 'false'],
  ['trust proxy', 'true'],
  ['trust proxy', '1'],
  ['etag', 'false'],
  ['etag', "'strong'"],
  ['x-powered-by', 'false'],
  ['json spaces', '1'],
  ['json escape', 'true'],
  ['subdomain offset', '1'],
];

/** What an application with views begins with. */
const VIEWS: Choices = [
  ['views', "FOLDER + '/views'"],
  ['view engine', "'tpl'"],
];

// An invalid status of a file ends the process, with Express too: the error is thrown while the file is read.
const REACHES_BESIDE_FILES = REACHES.filter((statement) => statement !== 'res.statusCode = 99');

const WRAPS_OF_FILES = wrapsOf(METHODS_OF_FILES, []);

const OPTIONS: Choices = [
  ['caseSensitive', 'true'],
  ['strict', 'true'],
  ['mergeParams', 'true'],
  ['mergeParams', 'true'],
];

const FIELDS: readonly (readonly [string, string])[] = [
  ['Accept', 'application/json'],
  ['Accept', 'text/html, */*;q=0.1'],
  ['Accept', 'image/png'],
  ['X-Forwarded-For', '10.0.0.1, 10.0.0.2'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'other.example:81'],
  ['If-None-Match', '"mine"'],
  ['If-None-Match', '*'],
  ['X-Requested-With', 'XMLHttpRequest'],
];

const BODIES: readonly (readonly [type: string, body: string])[] = [
  ['application/json', '{"a":[1,{"b":null}]}'],
  ['application/json', '{"a":'],
  ['application/x-www-form-urlencoded', 'a=1&b[c]=2&a=3'],
  ['text/plain', 'text'],
];

const zipped = (text: string, zip: (text: string) => Buffer): string => zip(text).toString('latin1');
const TEXT = '{"text":"a text that is made shorter, a text that is made shorter"}';

/** Bodies in other encodings, and ones that parsers refuse. */
const ODD_BODIES: readonly (readonly [fields: readonly (readonly [string, string])[], body: string])[] = [
  [
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ],
    zipped(TEXT, gzipSync),
  ],
  [
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'deflate'],
    ],
    zipped(TEXT, deflateSync),
  ],
  [
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'br'],
    ],
    zipped(TEXT, brotliCompressSync),
  ],
  [
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ],
    TEXT,
  ],
  [
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'x-unknown'],
    ],
    TEXT,
  ],
  [
    [['Content-Type', 'application/json; charset=utf-16le']],
    Buffer.from('{"a":"\u00e9"}', 'utf16le').toString('latin1'),
  ],
  [[['Content-Type', 'application/json; charset=x-unknown']], '{}'],
  [[['Content-Type', 'application/json']], `{"long":"${'x'.repeat(110_000)}"}`],
  [[['Content-Type', 'application/json']], '\xef\xbb\xbf{"a":1}'],
  [[['Content-Type', 'application/json']], '"text"'],
  [[['Content-Type', 'application/vnd.a+json']], '[1]'],
  [[['Content-Type', 'application/x-www-form-urlencoded; charset=iso-8859-1']], 'a=%E9&b=\xe9'],
  [[['Content-Type', 'application/x-www-form-urlencoded']], 'a=%zz&b[=1&c[]=1&c[]=2&__proto__=3'],
  [[['Content-Type', 'application/x-www-form-urlencoded']], 'a=1&'.repeat(1_100)],
  [[['Content-Type', 'text/plain; charset=latin1']], '\xe9'],
  [[], 'no type'],
];

const RARE_TARGETS = [
  '*',
  'http://host.example',
  'http://host.example/a/b?x',
  // `url.parse()` throws for these.
  'http://[x/a',
  'http://user:%@host/a?x',
  '/%zz',
  '/a/%e0%a4',
  '//',
  '/?',
];

const TAILS = ['', '', '', '', '/', '?q=1', '?q[a]=1&q[b]=2', '/?callback=cb', '//', '?'];

/** Generates programs from a seed: nested routers and applications, all kinds of handlers, and requests that reach them. */
export class ProgramPlanner {
  private readonly random: Seeded;
  private named = 0;
  /** Some programs reach into Express. */
  private reaches = false;
  /** Some programs send files and render views. */
  private files = false;
  /** Some programs use middleware of the ecosystem. */
  private packages = false;
  /** Some programs get requests with broken parts, and use them. */
  private odd = false;

  constructor(random: Seeded) {
    this.random = random;
  }

  /** @param count number of requests in the program */
  program(count: number): ProgramPlan {
    const { random } = this;
    this.reaches = random.chance(0.5);
    this.files = random.chance(0.3);
    this.packages = random.chance(0.3);
    this.odd = random.chance(0.4);
    const layers = [
      ...(random.chance(0.3) ? [this.parsers()] : []),
      ...(this.odd ? Array.from({ length: random.below(3) }, () => this.middleware(ODD_MIDDLEWARE)) : []),
      ...(this.packages && random.chance(0.6) ? [this.middleware(SESSIONS)] : []),
      ...(this.packages ? Array.from({ length: random.below(4) }, () => this.middleware(PACKAGES)) : []),
      ...this.layers(2, 3 + random.below(6)),
    ];
    // Of few broken targets a path can be meant.
    if (this.odd && random.chance(0.8))
      layers.push({ kind: 'use', handlers: [this.handler(oddAnswer(random), false)] });
    if (random.chance(0.6)) layers.push({ kind: 'use', handlers: [this.handler('tell(req, res, err)', true)] });
    const scope = { choices: [...(this.files ? VIEWS : []), ...this.settings()], layers };
    return {
      ...scope,
      // Files, sessions and compressed bodies take some turns: which of two requests at once fails first would be chance. A broken request
      // ends its connection, and it would be chance how much of the answers in front of it is sent.
      ...(this.apart ? { apart: true } : {}),
      ...(this.files ? { files: true } : {}),
      requests: Array.from({ length: count }, () => this.request(scope)),
    };
  }

  private get apart(): boolean {
    return this.reaches || this.files || this.packages || this.odd;
  }

  private layers(depth: number, count: number): LayerPlan[] {
    return Array.from({ length: count }, () => this.layer(depth));
  }

  private layer(depth: number): LayerPlan {
    const { random } = this;
    if (this.files && random.chance(0.15)) return this.middleware(STATIC);
    if (this.packages && random.chance(0.2)) return this.middleware(PACKAGES);
    const kind = random.below(20);
    if (kind < 2) return this.param();
    if (kind < 7) return { kind: 'use', ...this.maybePath(), handlers: this.handlers() };
    if (kind < 12 && depth > 0) return this.scope(depth);
    if (kind < 15) {
      const verbs = Array.from({ length: 1 + random.below(3) }, () => ({
        verb: random.pick(VERBS),
        handlers: this.handlers(),
      }));
      return { kind: 'route', path: this.path(), verbs };
    }
    return { kind: 'verb', verb: random.pick(VERBS), path: this.path(), handlers: this.handlers() };
  }

  /** @param among middleware by its source */
  private middleware(among: readonly string[]): LayerPlan {
    return { kind: 'use', ...this.maybePath(), handlers: [{ name: this.random.pick(among), statements: [] }] };
  }

  private scope(depth: number): LayerPlan {
    const { random } = this;
    const isApp = random.chance(0.35);
    return {
      kind: isApp ? 'app' : 'router',
      ...this.maybePath(),
      choices: isApp ? this.settings() : this.choices(OPTIONS),
      layers: this.layers(depth - 1, 1 + random.below(5)),
    };
  }

  private param(): LayerPlan {
    const { random } = this;
    const statements = ["res.append('X-Param', encodeURIComponent(name + '=' + value))"];
    if (random.chance(0.2)) statements.push('req.params[name] = [value]');
    if (random.chance(0.1)) statements.push(random.pick(BEFORE));
    return {
      kind: 'param',
      names: random.pick(["'id'", "'name'", "'rest'", "'0'", "'word'", "'id'"]),
      statements: [...statements, random.pick(PARAM_ENDS)],
    };
  }

  /** The frameworks' own parsers, by their source in the program. */
  private parsers(): LayerPlan {
    return {
      kind: 'use',
      handlers: ['express.json()', 'express.urlencoded({ extended: true })', 'express.text()'].map((name) => ({
        name,
        statements: [],
      })),
    };
  }

  private handlers(): HandlerPlan[] {
    const { random } = this;
    return Array.from({ length: random.chance(0.7) ? 1 : 2 + random.below(2) }, () => this.handler());
  }

  private handler(end?: string, errors = this.random.chance(0.15)): HandlerPlan {
    const { random } = this;
    const name = `h${++this.named}`;
    const statements = [`res.append('X-Trail', '${name}')`];
    while (random.chance(0.25)) statements.push(random.pick(this.before()));
    const passes = this.reaches && random.chance(0.1) ? REACHING_PASSES : PASSES;
    const ends = errors ? ERROR_ENDS : random.pick([this.answers(), this.answers(), passes, passes, passes, FAILS]);
    statements.push(end ?? random.pick(ends));
    // In Express 4 an error of an asynchronous handler ends the process.
    const isAsync = random.chance(0.1) && version === 5;
    return { name, ...(errors ? { takesErrors: true } : {}), ...(isAsync ? { isAsync: true } : {}), statements };
  }

  private answers(): readonly string[] {
    const { random } = this;
    if (this.odd && random.chance(0.6)) return [oddAnswer(random)];
    if (this.files && random.chance(0.6)) return FILE_ENDS;
    return this.packages && random.chance(0.6) ? PACKAGE_ENDS : ENDS;
  }

  private before(): readonly string[] {
    const { random } = this;
    if (this.odd && random.chance(0.5)) return [oddStep(random)];
    if (this.packages && random.chance(0.4)) return BEFORE_PACKAGES;
    if (this.files && random.chance(0.5)) return this.reaches && random.chance(0.3) ? WRAPS_OF_FILES : BEFORE_FILES;
    if (!this.reaches || random.chance(0.5)) return BEFORE;
    return this.files ? REACHES_BESIDE_FILES : REACHES;
  }

  private maybePath(): { path?: PathPlan } {
    return this.random.chance(0.4) ? {} : { path: this.path() };
  }

  private path(): PathPlan {
    const { random } = this;
    if (random.chance(0.3)) return random.pick(ODD_PATHS);
    let [source, like] = ['', ''];
    for (let i = 1 + random.below(random.chance(0.4) ? 3 : 1); i > 0; i--) {
      const word = random.pick(WORDS);
      like += `/${word}`;
      source += random.chance(0.45) ? `/:${random.pick(NAMES)}` : `/${decodeURIComponent(word)}`;
    }
    return path(JSON.stringify(source), like);
  }

  private settings(): Choices {
    if (this.odd && this.random.chance(0.7)) return this.choices(ODD_SETTINGS);
    return this.choices(this.files ? [...SETTINGS, ...VIEW_SETTINGS] : SETTINGS);
  }

  private choices(among: Choices): Choices {
    const { random } = this;
    return random.chance(0.5) ? [] : Array.from({ length: 1 + random.below(2) }, () => random.pick(among));
  }

  private request(scope: ScopePlan): RequestPlan {
    const { random } = this;
    const fields: (readonly [string, string])[] = [];
    while (random.chance(this.packages ? 0.5 : 0.3)) fields.push(random.pick(this.fields()));
    if (this.odd) while (random.chance(0.6)) fields.push(oddField(random));
    const line = `${random.pick(METHODS)} ${this.target(scope)}`;
    const plan: RequestPlan = { line, fields, body: '', ...(random.chance(0.03) ? { version: '1.0' } : {}) };
    if (!/^(?:POST|PUT|PATCH)/.test(line) || random.chance(0.3)) return plan;
    // node sends 100 Continue of a pipelined request inside the answer (docs/compat).
    if (this.apart && random.chance(0.1)) {
      // The answer to an unknown expectation has the prototypes of the application, to which such a program writes (docs/compat).
      const expected = this.odd ? ODD_EXPECTATIONS : ['100-continue', 'something'];
      fields.push(['Expect', this.reaches ? '100-continue' : random.pick(expected)]);
    }
    const [types, body] = this.body();
    const chunked = random.chance(0.25) ? { chunked: random.pick([1, 7, 5_000]) } : {};
    return { ...plan, fields: [...fields, ...types], body, ...chunked };
  }

  private body(): (typeof ODD_BODIES)[number] {
    const { random } = this;
    if (this.odd && random.chance(0.6)) return oddBody(random);
    if (random.chance(0.3)) return random.pick(ODD_BODIES);
    const [type, body] = random.pick(this.packages && random.chance(0.5) ? PACKAGE_BODIES : BODIES);
    return [[['Content-Type', type]], body];
  }

  private fields(): typeof FIELDS {
    const { random } = this;
    if (this.files && random.chance(0.6)) return FILE_FIELDS;
    return this.packages && random.chance(0.7) ? PACKAGE_FIELDS : FIELDS;
  }

  private target(scope: ScopePlan): string {
    const target = this.usualTarget(scope);
    return this.odd && this.random.chance(0.6) ? oddTarget(this.random, target) : target;
  }

  private usualTarget(scope: ScopePlan): string {
    const { random } = this;
    if (random.chance(0.03)) return random.pick(RARE_TARGETS);
    let target = '';
    for (let at: ScopePlan | undefined = scope; at !== undefined && at.layers.length > 0;) {
      const layer: LayerPlan = random.pick(at.layers);
      if ('path' in layer && layer.path !== undefined) target = target.replace(/\/$/, '') + layer.path.like;
      at = 'layers' in layer ? layer : undefined;
    }
    if (this.files && random.chance(0.4)) target = target.replace(/\/$/, '') + random.pick(FILE_TARGETS);
    if (random.chance(0.15)) target += `/${random.pick(WORDS)}`;
    if (random.chance(0.1)) target = target.toUpperCase().replaceAll('%2f', '%2F');
    if (random.chance(0.1)) target = target.replace(/[^/]+/, random.pick(WORDS));
    if (!target.startsWith('/')) target = `/${target}`;
    return target + random.pick(TAILS);
  }
}
