import { EventEmitter } from 'node:events';
import type http = require('node:http');
import { json } from '../middleware/json.js';
import { raw } from '../middleware/raw.js';
import { serveStatic } from '../middleware/static.js';
import { text } from '../middleware/text.js';
import { urlencoded } from '../middleware/urlencoded.js';
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

/** What `require('nonstop')` gives. */
export const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
});
