import { debugLog, debugging } from '../core/debug-log.js';
import { methods, callVerb, defineVerb } from '../core/methods.js';
import { leadsWithHandler } from '../routing/flat-handlers.js';
import type { Path } from '../routing/shapes.js';
import type { Application as PublicApplication } from '../types/application.js';
import { dialectOf, type AppRouter, type Application } from './shape.js';
import type { Engine } from './view.js';
import { defaultConfiguration, initOf } from './configuration.js';
import { express5 } from './express5.js';
import { handle } from './handle.js';
import { listen } from './listen.js';
import { isApplication, mounted } from './mount.js';
import { renderByApplication } from './render.js';
import { disable, disabled, enable, enabled, setSetting } from './settings.js';

const log = debugLog('express:application');

function routerOf(app: Application): AppRouter {
  return dialectOf(app).routerOf(app);
}

/** Adds middleware, routers and applications for every path under the one given. @throws TypeError without a handler */
function use(this: Application, first: unknown, ...more: unknown[]): Application {
  const pathless = leadsWithHandler(first);
  const path = pathless ? '/' : (first as Path);
  const handlers = (pathless ? [first, ...more] : more).flat(Infinity);
  if (handlers.length === 0) throw new TypeError('app.use() requires a middleware function');
  const router = routerOf(this);
  for (const handler of handlers) {
    if (!isApplication(handler)) {
      router.use(path as never, handler as never);
      continue;
    }
    if (debugging) log('.use app under %s', path);
    handler.mountpath = path;
    handler.parent = this;
    router.use(path as never, mounted(handler) as never);
    handler.emit('mount', this);
  }
  return this;
}

function route(this: Application, path: Path): unknown {
  return routerOf(this).route(path as never);
}

/** Registers the function that renders files with this extension. @throws Error if it is not a function */
function engine(this: Application, extension: string, fn: Engine): Application {
  if (typeof fn !== 'function') throw new Error('callback function required');
  // By index: it may be no string, such as a number.
  this.engines[extension[0] === '.' ? extension : `.${extension}`] = fn;
  return this;
}

/** Adds a callback for a param, or for each of several. */
function param(this: Application, name: string | readonly string[], fn?: unknown): Application {
  if (Array.isArray(name)) for (const one of name as string[]) this.param(one, fn);
  else routerOf(this).param(name as never, fn as never);
  return this;
}

/** Adds handlers to the route of this path, for every method by name. */
function all(this: Application, routePath: Path, ...handlers: unknown[]): Application {
  const added = dialectOf(this).newRoute(this, routePath);
  for (const method of methods) callVerb(added, method, handlers);
  return this;
}

/**
 * The members of every application. They are copied when an application is made, so later additions reach new
 * applications only.
 */
const members = {
  init: initOf(express5),
  defaultConfiguration,
  handle,
  use,
  route,
  engine,
  param,
  set: setSetting,
  /** The full path under which the application is mounted. */
  path(this: Application): string {
    return this.parent ? this.parent.path() + String(this.mountpath) : '';
  },
  enabled,
  disabled,
  enable,
  disable,
  all,
  render: renderByApplication,
  listen,
};

/**
 * What all applications are made of. Express's types call it a whole application: the verbs are added below, the rest is given to
 * each application when it is made.
 */
export const application = members as typeof members & PublicApplication;

for (const method of methods) {
  // Uses `arguments`: settings are read during requests, and a rest parameter would allocate an array.
  defineVerb(application, method, function (this: Application, routePath: unknown) {
    // One argument means a setting: `app.get(name)`.
    if (method === 'get' && arguments.length === 1) return this.set(routePath as string);
    const [, ...handlers] = arguments as Iterable<unknown>;
    callVerb(dialectOf(this).newRoute(this, routePath), method, handlers);
    return this;
  });
}
