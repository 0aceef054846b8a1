import type http = require('node:http');
import type { Next, RoutedRequest } from '../routing/shapes.js';
import { originalOf } from '../core/twin.js';
import { host, LATE_MEMBERS_MAKE_CLASSES } from '../http/host.js';
import { lookForListeners } from '../routing/channels.js';
import { kPosition } from '../routing/route-pattern.js';
import { plainHandle, walk, type Router } from '../routing/router.js';
import { takeOver, takeOverServerOf } from './engine-choice.js';
import { finalAnswersOf, lastOf } from './final-handler.js';
import { isHttp2Request, takeHttp2 } from './http2.js';
import { isGivenTo, setPrototype } from './message-app.js';
import { beginVisit } from './mount.js';
import type { Request, Application, Response } from './shape.js';
import { traceRequest } from './trace-request.js';

const X_POWERED_BY = host.knownField('X-Powered-By');

/**
 * Sends a request through the application.
 *
 * @param done called when no handler responded; without it, the response is 404 or an error page
 */
export function handle(this: Application, req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void {
  prepare(this, req, res);
  const router = this.router as Router;
  const routed = req as RoutedRequest;
  if (lookForListeners()) return traceRequest({ app: this, router, req: routed, res }, done);
  // Instrumentation may have patched the router's `handle`, which then needs a function as callback.
  if (done) router.handle(routed, res, done);
  else if (router.handle === plainHandle) walk(router, routed, res, finalAnswersOf(this));
  else router.handle(routed, res, lastOf(this, routed, res));
}

/** Makes a request and its response those of the application. */
export function prepare(app: Application, req: http.IncomingMessage, res: http.ServerResponse): void {
  if (app.enabled('x-powered-by')) sayPoweredBy(app, res);
  const request = req as Request;
  const response = res as Response;
  request.res = response;
  const isOurs = Object.getPrototypeOf(request) === app.request && request.app === app;
  response.req = request;
  // The engine makes messages with the application's prototypes: changing a prototype costs 10 µs and more on Node 20.
  if (!isOurs || Object.getPrototypeOf(response) !== app.response || response.app !== app) {
    givePrototypes(app, request, response);
  }
  if (!response.locals) response.locals = Object.create(null) as object;
}

/** Under Express the response has node's prototype at this point: a method of the application's does not get this field. */
function sayPoweredBy(app: Application, res: http.ServerResponse): void {
  const { setHeader } = host.ServerResponse.prototype;
  if (res.setHeader === setHeader || Object.hasOwn(res, 'setHeader') || Object.getPrototypeOf(res) !== app.response)
    host.setKnown(res, X_POWERED_BY, 'Express');
  else setHeader.call(res, 'X-Powered-By', 'Express');
}

/** Gives a request and its response the prototypes of this application. */
function givePrototypes(app: Application, req: Request, res: Response): void {
  if (isHttp2Request(req)) {
    if (isOf(req, app.request) && isOf(res, app.response) && req.app === app && res.app === app) return;
    takeHttp2(req, res, (server) => takeOver(server, app));
  } else takeOverServerOf(req, res, app);
  if (LATE_MEMBERS_MAKE_CLASSES) addExpected(app, req, res);
  if (beginVisit(app, req, res)) return;
  if (!isGivenTo(req, app)) setPrototype(req, app.request);
  if (!isGivenTo(res, app)) setPrototype(res, app.response);
}

/** Whether a message has the HTTP/2 twin of this prototype. */
function isOf(message: Request | Response, prototype: object): boolean {
  return originalOf(Object.getPrototypeOf(message)) === prototype;
}

/** The members that a router gives each request, in its order. */
interface Expecting {
  next?: unknown;
  baseUrl?: unknown;
  originalUrl?: unknown;
  params?: unknown;
  [kPosition]?: unknown;
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
