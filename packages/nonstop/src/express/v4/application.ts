import type http = require('node:http');
import { debugLog, debugging } from '../../core/debug-log.js';
import { lazy } from '../../core/lazy.js';
import { lookForListeners } from '../../routing/channels.js';
import type { Next, RoutedRequest, RoutedResponse } from '../../routing/shapes.js';
import { logDispatching, plainHandle, Router } from '../../routing/v4/router.js';
import { Walk } from '../../routing/walk.js';
import { application as applicationOf5 } from '../application.js';
import { initOf } from '../configuration.js';
import { finalAnswersOf, lastOf } from '../final-handler.js';
import { writeSetting } from '../settings.js';
import type { Application } from '../shape.js';
import { traceRequest } from '../trace-request.js';
import type { Application as PublicApplication } from '../../types/v4/application.js';
import { express4 } from './express4.js';
import { open, passOpening } from './opening.js';

type QueriedMessage = Parameters<typeof passOpening>[2];

const log = debugLog('express:application');
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** `app.set(name, value)`, and `app.set(name)` to read. */
function set(this: Application, setting: string, value?: unknown): unknown {
  if (arguments.length !== 1) return writeSetting(this, setting, value);
  const found = this.settings[setting];
  // Not `Object.hasOwn()`: it made a hello 4 % more expensive on Node 20.
  return found === undefined || anyObject[setting] === undefined ? found : ownSetting(this.settings, setting);
}

/** What every object inherits. */
const anyObject: Readonly<Record<string, unknown>> = Object.getPrototypeOf({});

/** What every object has is no setting, nor what a client has put into `Object.prototype`. */
function ownSetting(settings: object, setting: string): unknown {
  let own: object | null = settings;
  while (own !== null && own !== Object.prototype) {
    if (Object.hasOwn(own, setting)) return (own as Record<string, unknown>)[setting];
    own = Object.getPrototypeOf(own) as object | null;
  }
  return undefined;
}

/** Makes the router with the current settings, if there is none yet. */
function lazyrouter(this: Application): void {
  if (this._router) return;
  const router = Router({
    caseSensitive: this.enabled('case sensitive routing'),
    strict: this.enabled('strict routing'),
  });
  this._router = router;
  open(this, router);
}

/**
 * Sends a request through the application.
 *
 * @param done called when no handler responded; without it, the response is 404 or an error page
 */
function handle(this: Application, req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void {
  const router = this._router as Router | undefined;
  const routed = req as RoutedRequest;
  const response = res as RoutedResponse;
  if (!router) {
    if (debugging) log('no routes defined on app');
    if (done) done();
    else finalAnswersOf(this).answerLast(routed, response, undefined);
  } else if (lookForListeners()) {
    traceRequest({ app: this, router, req: routed, res }, done);
  } else if (done) {
    router.handle(routed, response, done);
  } else if (router.handle === plainHandle) {
    if (debugging) logDispatching(routed);
    const walk = new Walk(router, routed, response, finalAnswersOf(this));
    walk.start(passOpening(router, walk.layers, req as QueriedMessage, res));
  } else {
    router.handle(routed, response, lastOf(this, routed, res));
  }
}

type Verb = (this: Application, path: unknown, ...handlers: unknown[]) => Application;

const verbs: object = applicationOf5;
const { delete: remove } = verbs as { delete: Verb };

function del(this: Application, path: unknown, ...handlers: unknown[]): Application {
  deprecate()('app.del: Use app.delete instead');
  return remove.call(this, path, ...handlers);
}

const membersOf4: object = { ...applicationOf5, init: initOf(express4), set, handle, lazyrouter, del };

/** The members of every application; copied when an application is made. */
export const application = membersOf4 as PublicApplication;
