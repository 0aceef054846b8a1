import { isProxy } from 'node:util/types';
import type { RequestHandle } from '../routing/shapes.js';
import { originalOf } from '../core/twin.js';
import { giveTo, isWritten, setPrototype } from './message-app.js';
import type { Request, Application, Response } from './shape.js';
import { inheritTrust } from './settings.js';

/** Whether an argument of `use` is an application, of this package or of Express. */
export function isApplication(handle: unknown): handle is Application {
  const app = handle as Partial<Application> | undefined;
  return Boolean(app && app.handle && app.set);
}

/** A listener for `'mount'`: the application inherits its parent's settings and prototypes. */
export function inheritFrom(this: Application, parent: Application): void {
  inheritTrust(this, parent);
  Object.setPrototypeOf(this.request, parent.request);
  Object.setPrototypeOf(this.response, parent.response);
  Object.setPrototypeOf(this.engines, parent.engines);
  Object.setPrototypeOf(this.settings, parent.settings);
}

/**
 * The handler of a mounted application in its parent's stack.
 *
 * Request and response belong to the child when it begins, and to the parent again when it calls `next`, which it may do late or twice, when the
 * messages have gone on.
 */
export function mounted(child: Application): RequestHandle {
  return function mounted_app(request, response, next) {
    const req = request as Request;
    const res = response as Response;
    const visit = new Visit(child, req, res);
    coming = visit.isPlain ? visit : undefined;
    try {
      child.handle(req, res, (error) => {
        visit.end();
        next(error);
      });
    } finally {
      coming = undefined;
    }
  };
}

/**
 * The visit that has not begun yet: what {@link mounted} tells {@link beginVisit}. It cannot be an argument, because `child.handle()` is between the
 * two: it has Express's three arguments, and programs replace it. Their `handle` sees the messages as the parent's.
 */
let coming: Visit | undefined;

/**
 * An application begins with these messages.
 *
 * @returns whether they belong to it now; otherwise they have to get its prototypes
 */
export function beginVisit(app: Application, req: Request, res: Response): boolean {
  const visit = coming;
  if (visit === undefined || visit.child !== app || visit.req !== req || visit.res !== res) return false;
  coming = undefined;
  return visit.begin();
}

/** One request in a mounted application. */
class Visit {
  /** Whether another `app` on each message has the effect of the child's prototypes. */
  readonly isPlain: boolean;
  private readonly parent: Application;
  // Those that they have in the parent.
  private readonly requestPrototype: unknown;
  private readonly responsePrototype: unknown;

  constructor(
    readonly child: Application,
    readonly req: Request,
    readonly res: Response,
  ) {
    this.parent = req.app;
    this.requestPrototype = Object.getPrototypeOf(req);
    this.responsePrototype = Object.getPrototypeOf(res);
    this.isPlain =
      // A Proxy may bind each function that is read from it: the application would be a copy without members.
      !isProxy(req) &&
      !isProxy(res) &&
      !isWritten(req) &&
      !isWritten(res) &&
      inheritsPlainly(child, 'request', originalOf(this.requestPrototype)) &&
      inheritsPlainly(child, 'response', originalOf(this.responsePrototype));
  }

  /** @returns false if a program has changed the messages on their way, or `app` of their prototypes */
  begin(): boolean {
    const { req, res, child } = this;
    if (isWritten(req) || isWritten(res) || !this.haveKeptPrototypes()) return false;
    return giveTo(req, child) && giveTo(res, child);
  }

  /** The child has called `next`. */
  end(): void {
    const { req, res, parent } = this;
    if (this.isPlain && this.haveKeptPrototypes()) {
      giveBack(req, parent);
      giveBack(res, parent);
    } else {
      setPrototype(req, parent.request);
      setPrototype(res, parent.response);
    }
  }

  private haveKeptPrototypes(): boolean {
    const { req, res, requestPrototype, responsePrototype } = this;
    return Object.getPrototypeOf(req) === requestPrototype && Object.getPrototypeOf(res) === responsePrototype;
  }
}

function giveBack(message: Request | Response, app: Application): void {
  if (!isWritten(message) && message.app !== app) giveTo(message, app);
}

/**
 * Whether the child's prototype adds only `app` to this one, directly or through applications in between. Checked for
 * each request, because an application may extend its prototypes at any time. An application of another framework may
 * have none, and a program may have written another `app` there.
 */
function inheritsPlainly(child: Partial<Application>, kind: 'request' | 'response', base: unknown): boolean {
  const own = child[kind];
  if (own?.app !== child) return false;
  let prototype: object | null = own;
  while (prototype !== base) {
    if (!prototype || !Object.hasOwn(prototype, 'app') || Reflect.ownKeys(prototype).length !== 1) return false;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return true;
}
