import type { Seeded } from './seeded.js';

/** What a generated handler does after it has noted its call. */
export type Action =
  | 'end'
  | 'next'
  | 'next twice'
  | 'route'
  | 'router'
  | 'error'
  | 'throw'
  | 'reject'
  | 'resolve late'
  | 'rewrite url'
  | 'rewrite method'
  | 'change params';

export interface HandlerPlan {
  readonly id: number;
  readonly action: Action;
  readonly takesErrors: boolean;
}

export type LayerPlan =
  | { readonly kind: 'use'; readonly path: PathPlan; readonly handlers: readonly HandlerPlan[] }
  | { readonly kind: 'router'; readonly path: PathPlan; readonly router: RouterPlan }
  | {
      readonly kind: 'param';
      readonly name: string;
      readonly id: number;
      readonly action: 'next' | 'error' | 'change params';
    }
  | {
      readonly kind: 'route';
      readonly path: PathPlan;
      readonly verbs: readonly { readonly method: string; readonly handlers: readonly HandlerPlan[] }[];
    };

export type PathPlan = string | RegExp | readonly string[];

/** A router as data, so that two implementations can be built from one plan. */
export interface RouterPlan {
  readonly options: { readonly caseSensitive: boolean; readonly mergeParams: boolean; readonly strict: boolean };
  readonly layers: readonly LayerPlan[];
}

// Few words, so that paths and targets match often.
const WORDS = ['a', 'b', 'a', 'b', 'A', 'ab', 'x.json', 'a-b', 'é', '%20', ''];
const TAILS = ['', '', '', '/', '?q=1', '/?q=/a', '#top', '//'];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT'];
const VERBS = ['get', 'get', 'post', 'all', 'head', 'put'];
/** What a path may be besides a plain string, and what handlers may do, in this version of Express. */
export interface RouterSyntax {
  readonly patterns: readonly PathPlan[];
  readonly params: readonly string[];
  readonly actions: readonly Action[];
}

const PATTERNS: readonly PathPlan[] = [
  /^\/a(b)?/,
  /\/(?<word>[a-z]+)$/i,
  /b/,
  '/*rest',
  '/a{/:more}',
  '/files/*path',
  '/:from-:to',
  '/:file.:ext',
  ['/a', '/b/:id', '/x.json'],
  ['/', '/a'],
];
const ACTIONS: readonly Action[] = [
  ...Array<Action>(6).fill('end'),
  ...Array<Action>(14).fill('next'),
  'next twice',
  'route',
  'route',
  'router',
  'error',
  'throw',
  'reject',
  'resolve late',
  'rewrite url',
  'rewrite method',
  'change params',
];

const SYNTAX_OF_5: RouterSyntax = {
  patterns: PATTERNS,
  params: ['id', 'name', 'id', '$x', '_'],
  actions: ACTIONS,
};

/** No handler rejects: Express 4 ignores promises, and a rejected one would end the process. */
export const SYNTAX_OF_4: RouterSyntax = {
  patterns: [
    /^\/a(b)?/,
    /\/(?<word>[a-z]+)$/i,
    /b/,
    '*',
    '/*',
    '/a/*/b',
    '/a*',
    '/a/:more?',
    '/:id(\\d+)',
    '/:id(a|b)?',
    '/:rest*',
    '/(a|b)/:id',
    '/a?b+',
    '/:from-:to',
    '/:file.:ext',
    '/:file.:ext?',
    '/files/(*)',
    '/x.json',
    '/a.b',
    ['/a', '/b/:id', '/x.json'],
    ['/', '/a', '/:id/b'],
    ['/:id', /^\/b(.*)/] as never,
  ],
  params: ['id', 'name', 'id', '_', '1'],
  actions: ACTIONS.filter((action) => action !== 'reject'),
};

/** Generates plans and requests from a seed; handlers are numbered consecutively. */
export class RouterPlanner {
  private readonly random: Seeded;
  private readonly syntax: RouterSyntax;
  private ids = 0;

  constructor(random: Seeded, syntax = SYNTAX_OF_5) {
    this.random = random;
    this.syntax = syntax;
  }

  router(depth: number): RouterPlan {
    const { random } = this;
    const layers = Array.from({ length: 1 + random.below(random.chance(0.2) ? 40 : 7) }, () => this.layer(depth));
    const options = { caseSensitive: random.chance(0.2), mergeParams: random.chance(0.5), strict: random.chance(0.2) };
    return { options, layers };
  }

  target(): string {
    const { random } = this;
    if (random.chance(0.03)) return random.pick(['*', '', 'http://host', 'http://host/a/b?x', '/%zz', '/a/%e0%a4']);
    const segments = Array.from({ length: random.below(4) }, () => random.pick(WORDS.slice(0, -1)));
    return `/${segments.map((segment) => encodeURI(segment).replace('%2520', '%20')).join('/')}${random.pick(TAILS)}`;
  }

  method(): string {
    return this.random.pick(METHODS);
  }

  private layer(depth: number): LayerPlan {
    const { random } = this;
    const kind = random.below(10);
    if (kind === 0) {
      const action = random.pick(['next', 'error', 'change params'] as const);
      return { kind: 'param', name: random.pick(['id', 'name', 'word', 'rest']), id: this.ids++, action };
    }
    if (kind <= 3) return { kind: 'use', path: this.path(), handlers: this.handlers() };
    if (kind <= 5 && depth > 0) return { kind: 'router', path: this.path(), router: this.router(depth - 1) };
    const verbs = Array.from({ length: 1 + random.below(3) }, () => ({
      method: random.pick(VERBS),
      handlers: this.handlers(),
    }));
    return { kind: 'route', path: this.path(), verbs };
  }

  private path(): PathPlan {
    const { random } = this;
    if (random.chance(0.35)) return '/';
    if (random.chance(0.2)) return random.pick(this.syntax.patterns);
    const segments = Array.from({ length: 1 + random.below(random.chance(0.3) ? 3 : 1) }, () =>
      random.chance(0.4) ? `:${random.pick(this.syntax.params)}` : random.pick(WORDS),
    );
    return `/${segments.join('/')}${random.chance(0.1) ? '/' : ''}`;
  }

  private handlers(): HandlerPlan[] {
    const { random } = this;
    return Array.from({ length: random.chance(0.7) ? 1 : 1 + random.below(3) }, () => ({
      id: this.ids++,
      action: random.pick(this.syntax.actions),
      takesErrors: random.chance(0.15),
    }));
  }
}
