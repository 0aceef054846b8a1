import type { HandlerPlan, RouterPlan } from './random-router.js';

type Next = (err?: unknown) => void;
type Loose = Record<string, unknown>;

/** The few members of a request that routing uses. */
export interface PlayedRequest extends Loose {
  method: string;
  url: string;
}

/** The members that both implementations have. */
export interface PlayableRouter {
  (req: object, res: object, next: Next): void;
  handle(req: object, res: object, next: Next): void;
  use(...args: unknown[]): unknown;
  param(name: string, handle: unknown): unknown;
  route(path: unknown): unknown;
}

export type RouterMaker = (options: object) => PlayableRouter;

/** One line of a transcript. */
export type Step = readonly unknown[];

/** Builds the plan with one implementation. Handlers write to the transcript that the request carries. */
export function build(plan: RouterPlan, make: RouterMaker): PlayableRouter {
  const router = make(plan.options);
  for (const layer of plan.layers) {
    if (layer.kind === 'use') router.use(layer.path, layer.handlers.map(handler));
    else if (layer.kind === 'router') router.use(layer.path, build(layer.router, make));
    else if (layer.kind === 'param') router.param(layer.name, paramHandler(layer.id, layer.action));
    else {
      const route = router.route(layer.path) as Record<string, (handlers: unknown) => void>;
      for (const verb of layer.verbs) route[verb.method](verb.handlers.map(handler));
    }
  }
  return router;
}

/** Sends one request through. @returns the transcript, once it is answered, passed on, or nothing happens any more */
export async function play(router: PlayableRouter, method: string, url: string): Promise<Step[]> {
  const steps: Step[] = [];
  let calls = 0;
  const note = (...step: Step): void => {
    // Handlers that call `next` twice may double the work again and again.
    if (++calls > 200) throw new Error('too many steps');
    steps.push(step);
  };
  const req: PlayedRequest = { method, url, note };
  const res = {
    setHeader: (name: string, value: unknown) => note('field', name, value),
    end: (body: unknown) => note('end', body),
    // Methods of Express's response, which version 4 uses to answer OPTIONS.
    set: (name: string, value: unknown) => note('set', name, value),
    send: (body: unknown) => note('send', body),
  };
  router.handle(req, res, (err) => note('out', text(err), state(req)));
  for (let turn = 0, seen = -1; turn < 60 && seen !== calls; turn++) {
    seen = calls;
    for (let i = 0; i < 8; i++) await new Promise(setImmediate);
  }
  return steps;
}

function handler(plan: HandlerPlan): unknown {
  const run = (req: PlayedRequest, next: Next, err?: unknown): unknown => {
    (req['note'] as (...step: Step) => void)(plan.id, text(err), state(req));
    return act(plan, req, next);
  };
  return plan.takesErrors
    ? (err: unknown, req: PlayedRequest, _res: unknown, next: Next) => run(req, next, err)
    : (req: PlayedRequest, _res: unknown, next: Next) => run(req, next);
}

function act({ action, id }: HandlerPlan, req: PlayedRequest, next: Next): unknown {
  switch (action) {
    case 'end':
      return undefined;
    case 'next twice':
      next();
      return next();
    case 'route':
    case 'router':
      return next(action);
    case 'error':
      return next(new Error(`error ${id}`));
    case 'throw':
      throw new Error(`thrown ${id}`);
    case 'reject':
      return Promise.reject(id % 2 === 0 ? new Error(`rejected ${id}`) : undefined);
    case 'resolve late':
      return Promise.resolve().then(() => next());
    case 'rewrite url':
      req.url = id % 3 === 0 ? '/a/b' : id % 3 === 1 ? `/rewritten${req.url}` : '/b?new';
      return next();
    case 'rewrite method':
      req.method = id % 2 === 0 ? 'POST' : 'get';
      return next();
    case 'change params':
      (req['params'] as Loose)['id'] = `changed ${id}`;
      return next();
    case 'next':
      return next();
  }
}

function paramHandler(id: number, action: 'next' | 'error' | 'change params'): unknown {
  return (req: PlayedRequest, _res: unknown, next: Next, value: unknown, name: unknown) => {
    (req['note'] as (...step: Step) => void)('param', id, value, name, state(req));
    if (action === 'error') return next(new Error(`param ${id}`));
    if (action === 'change params') (req['params'] as Loose)[name as string] = `of ${id}`;
    return next();
  };
}

function state(req: PlayedRequest): unknown {
  const { method, url, baseUrl, originalUrl, params, route } = req;
  const path = (route as { path?: unknown } | undefined)?.path;
  const bare = params ? Object.getPrototypeOf(params) === null : undefined;
  return {
    method,
    url,
    baseUrl,
    originalUrl,
    params: { ...(params as object) },
    bare,
    path: String(path),
    next: typeof req['next'],
  };
}

function text(err: unknown): unknown {
  if (!(err instanceof Error)) return err;
  return [err.name, err.message, (err as { status?: unknown }).status];
}
