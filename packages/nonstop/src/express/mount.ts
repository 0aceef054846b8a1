import type { RequestHandle } from '../routing/shapes.js';
import { defineOwn } from '../core/define-own.js';
import { originalOf } from '../core/twin.js';
import { LATE_MEMBERS_MAKE_CLASSES } from '../http/host.js';
import { kPosition } from '../routing/route-pattern.js';
import { takeOver, takeOverServerOf } from './engine-choice.js';
import { isHttp2Request, loadHttp2, takeHttp2 } from './http2.js';
import type { Request, Application, Response } from './shape.js';
import { inheritTrust } from './settings.js';

type Kind = 'request' | 'response';

/** The own `app` that a mount has given to a message; undefined if there is none. Another own `app` is a program's, and stays. */
const kMounted = Symbol('mounted');

/** The members that a router gives each request, in its order. */
interface Expecting {
  next?: unknown;
  baseUrl?: unknown;
  originalUrl?: unknown;
  params?: unknown;
  [kPosition]?: unknown;
}

type Message = (Request | Response) & { [kMounted]?: Application | undefined };

/** Whether an argument of `use` is an application, of this package or of Express. */
export function isApplication(handle: unknown): handle is Application {
  const app = handle as Partial<Application> | undefined;
  return Boolean(app && app.handle && app.set);
}

/** The messages of one request in a mounted application, with the prototypes that they have in its parent. */
interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly child: Application;
  readonly requestPrototype: unknown;
  readonly responsePrototype: unknown;
}

/**
 * The messages that a mount gives to its application, which has not taken them yet: a `handle` of the program, called between the two, sees
 * those of the parent.
 */
let offered: Visit | undefined;

/**
 * The handler of a mounted application in its parent's stack.
 *
 * Request and response belong to the child, and to the parent again when the child calls `next`. Express changes their
 * prototypes for that, and each of the four changes costs 10 µs and more on Node 20. If the child's prototypes add only
 * `app`, an own property `app` has the same effect. The child may call `next` late or twice, when the messages have gone on.
 */
export function mounted(child: Application): RequestHandle {
  return function mounted_app(request, response, next) {
    const req = request as Request;
    const res = response as Response;
    const from = req.app;
    const requestPrototype: unknown = Object.getPrototypeOf(req);
    const responsePrototype: unknown = Object.getPrototypeOf(res);
    const visit: Visit = { req, res, child, requestPrototype, responsePrototype };
    const plain =
      !isWritten(req) &&
      !isWritten(res) &&
      inheritsPlainly(child, 'request', originalOf(requestPrototype)) &&
      inheritsPlainly(child, 'response', originalOf(responsePrototype));
    offered = plain ? visit : undefined;
    try {
      child.handle(req, res, (error) => {
        if (plain && hasKeptPrototypes(visit)) {
          giveBack(req, from);
          giveBack(res, from);
        } else {
          setPrototype(req, from.request);
          setPrototype(res, from.response);
        }
        next(error);
      });
    } finally {
      offered = undefined;
    }
  };
}

function hasKeptPrototypes({ req, res, requestPrototype, responsePrototype }: Visit): boolean {
  return Object.getPrototypeOf(req) === requestPrototype && Object.getPrototypeOf(res) === responsePrototype;
}

/** Takes what a mount offers to this application. @returns false if these messages are not offered to it, or have changed since */
function takesOffer(app: Application, req: Request, res: Response): boolean {
  const visit = offered;
  if (visit === undefined || visit.child !== app || visit.req !== req || visit.res !== res) return false;
  offered = undefined;
  if (isWritten(req) || isWritten(res) || !hasKeptPrototypes(visit)) return false;
  mountOn(req, app);
  mountOn(res, app);
  return true;
}

function giveBack(message: Message, app: Application): void {
  if (!isWritten(message) && message.app !== app) mountOn(message, app);
}

/** A listener for `'mount'`: the application inherits its parent's settings and prototypes. */
export function inheritFrom(this: Application, parent: Application): void {
  inheritTrust(this, parent);
  Object.setPrototypeOf(this.request, parent.request);
  Object.setPrototypeOf(this.response, parent.response);
  Object.setPrototypeOf(this.engines, parent.engines);
  Object.setPrototypeOf(this.settings, parent.settings);
}

/** Gives a request and its response the prototypes of this application. */
export function givePrototypes(app: Application, req: Request, res: Response): void {
  if (isHttp2Request(req)) {
    if (isOf(req, app.request) && isOf(res, app.response) && req.app === app && res.app === app) return;
    takeHttp2(req, res, (server) => takeOver(server, app));
  } else takeOverServerOf(req, res, app);
  if (LATE_MEMBERS_MAKE_CLASSES) addExpected(app, req, res);
  if (takesOffer(app, req, res)) return;
  if (!isSwitchedTo(req, app)) setPrototype(req, app.request);
  if (!isSwitchedTo(res, app)) setPrototype(res, app.response);
}

/**
 * Adds the members that the messages will have when the first handler runs, before their prototypes change: later each would make a hidden
 * class for this one message. `route` is not among them, because programs ask whether a request has it.
 *
 * What a program has put on a message, or on the prototype that it is going to have, stays what the router finds. Each member has its own line:
 * in a loop V8 does not know the names.
 */
function addExpected(app: Application, req: Expecting, res: { locals?: object }): void {
  const { request, response } = app;
  if (!('next' in req) && !('next' in request)) req.next = undefined;
  if (!('baseUrl' in req) && !('baseUrl' in request)) req.baseUrl = undefined;
  if (!('originalUrl' in req) && !('originalUrl' in request)) req.originalUrl = undefined;
  if (!('params' in req) && !('params' in request)) req.params = undefined;
  if (!(kPosition in req)) req[kPosition] = undefined;
  if (!('locals' in res) && !('locals' in response)) res.locals = Object.create(null) as object;
}

/** Whether a message has the HTTP/2 twin of this prototype. */
function isOf(message: Request | Response, prototype: object): boolean {
  return originalOf(Object.getPrototypeOf(message)) === prototype;
}

/** Whether a mount has given the message to this application. */
function isSwitchedTo(message: Message, app: Application): boolean {
  return message[kMounted] === app && message.app === app;
}

function mountOn(message: Message, app: Application): void {
  // Not by assignment: the prototype's `app` may be frozen.
  defineOwn(message, 'app', app);
  message[kMounted] = app;
}

/** Whether a program has written `app`, which hides the prototype's from then on. */
function isWritten(message: Message): boolean {
  const mounted = message[kMounted];
  return mounted === undefined ? Object.hasOwn(message, 'app') : message.app !== mounted;
}

function setPrototype(message: Message, prototype: object): void {
  if (message[kMounted] !== undefined) {
    // It would hide the prototype's.
    if (!isWritten(message)) delete (message as Partial<Request>).app;
    message[kMounted] = undefined;
  }
  const current: unknown = Object.getPrototypeOf(message);
  const original = originalOf(current);
  if (original === prototype) return;
  // HTTP/2 messages cannot inherit from HTTP/1 messages.
  Object.setPrototypeOf(message, original === current ? prototype : loadHttp2().twinOf(prototype));
}

/**
 * Whether the child's prototype adds only `app` to this one, directly or through applications in between. Checked for
 * each request, because an application may extend its prototypes at any time. An application of another framework may
 * have none, and a program may have written another `app` there.
 */
function inheritsPlainly(child: Partial<Application>, kind: Kind, base: unknown): boolean {
  let prototype: object | null | undefined = child[kind];
  if ((prototype as Message | undefined)?.app !== child) return false;
  while (prototype !== base) {
    if (!prototype || !Object.hasOwn(prototype, 'app') || Reflect.ownKeys(prototype).length !== 1) return false;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return true;
}
