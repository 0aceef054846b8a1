import { EventEmitter } from 'node:events';
import type http = require('node:http');
import { Route } from '../routing/route.js';
import { Router } from '../routing/router.js';
import type { Next } from '../routing/shapes.js';
import { application } from './application.js';
import { request } from './request/index.js';
import { response } from './response/index.js';
import type { Application } from './shape.js';

/** Makes an application: a function that serves requests, with the methods of an application and of an emitter. */
function createApplication(): Application {
  const app = function (req: http.IncomingMessage, res: http.ServerResponse, next?: Next): void {
    app.handle(req, res, next);
  } as Application;
  addMembers(app, EventEmitter.prototype);
  addMembers(app, application);
  app.request = withApp(request, app);
  app.response = withApp(response, app);
  app.init();
  return app;
}

/** Copies what `source` has of its own, except what a function has already. */
function addMembers(app: Application, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    if (Object.hasOwn(app, name)) continue;
    Object.defineProperty(app, name, Object.getOwnPropertyDescriptor(source, name) as PropertyDescriptor);
  }
}

function withApp<T extends object>(base: T, app: Application): T & { app: Application } {
  const own = { app: { configurable: true, enumerable: true, writable: true, value: app } };
  return Object.create(base, own) as T & { app: Application };
}

/** Middleware that comes with the framework, loaded when first asked for: 3 ms that many applications never need. */
const middleware = {
  json: () => (require('../middleware/json.js') as typeof import('../middleware/json.js')).json,
  raw: () => (require('../middleware/raw.js') as typeof import('../middleware/raw.js')).raw,
  static: () => (require('../middleware/static.js') as typeof import('../middleware/static.js')).serveStatic,
  text: () => (require('../middleware/text.js') as typeof import('../middleware/text.js')).text,
  urlencoded: () => (require('../middleware/urlencoded.js') as typeof import('../middleware/urlencoded.js')).urlencoded,
};

type Middleware = { [name in keyof typeof middleware]: ReturnType<(typeof middleware)[name]> };

/** A property that becomes an ordinary one when it is first read, or written. */
function defineLate(target: object, name: string, load: () => unknown): void {
  const settle = (value: unknown): void => {
    Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value });
  };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = load();
      settle(value);
      return value;
    },
    set: settle,
  });
}

/** What `require('nonstop')` gives. */
export const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
}) as typeof createApplication &
  Middleware & {
    application: typeof application;
    request: typeof request;
    response: typeof response;
    Route: typeof Route;
    Router: typeof Router;
  };

for (const [name, load] of Object.entries(middleware)) defineLate(express, name, load);
