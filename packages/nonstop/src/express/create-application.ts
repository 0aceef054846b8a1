import { EventEmitter } from 'node:events';
import { loadAhead } from '../core/lazy.js';
import type http = require('node:http');
import type { Next } from '../routing/shapes.js';
import { appProperty } from './message-app.js';
import { kExpress, type Dialect, type Request, type Application, type Response } from './shape.js';

/** The parts from which applications of one Express are made. */
export interface Parts {
  readonly dialect: Dialect;
  readonly application: object;
  readonly request: object;
  readonly response: object;
}

/** Makes an application: a function that serves requests, with the methods of an application and of an emitter. */
export function assemble({ dialect, application, request, response }: Parts): Application {
  const app = function (req: http.IncomingMessage, res: http.ServerResponse, next?: Next): void {
    app.handle(req, res, next);
  } as Application;
  Object.defineProperty(app, kExpress, { value: dialect });
  addMembers(app, EventEmitter.prototype);
  addMembers(app, application);
  app.request = withApp(request as Request, app);
  app.response = withApp(response as Response, app);
  app.init();
  loadAhead();
  return app;
}

/** Copies the own properties of `source`, except those that a function already has. */
function addMembers(app: Application, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    if (Object.hasOwn(app, name)) continue;
    Object.defineProperty(app, name, Object.getOwnPropertyDescriptor(source, name) as PropertyDescriptor);
  }
}

function withApp<T extends object>(base: T, app: Application): T & { app: Application } {
  return Object.create(base, { app: appProperty(app) }) as T & { app: Application };
}
