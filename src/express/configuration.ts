import { resolve } from 'node:path';
import { debugLog, debugging } from '../core/debug-log.js';
import { inheritFrom } from './mount.js';
import { Router } from '../routing/router.js';
import { markTrust } from './settings.js';
import type { Application, Settings } from './shape.js';
import { View } from './view.js';

const log = debugLog('express:application');

/** Gives a new application its stores and its defaults. */
export function init(this: Application): void {
  this.cache = Object.create(null) as Application['cache'];
  this.engines = Object.create(null) as Application['engines'];
  this.settings = Object.create(null) as Settings;
  this.defaultConfiguration();
  let router: Router | undefined;
  // Made when first asked for: until then `case sensitive routing` and `strict routing` may still be set.
  Object.defineProperty(this, 'router', {
    configurable: true,
    enumerable: true,
    get(this: Application) {
      router ??= new Router({
        caseSensitive: this.enabled('case sensitive routing'),
        strict: this.enabled('strict routing'),
      });
      return router;
    },
  });
}

export function defaultConfiguration(this: Application): void {
  const env = process.env['NODE_ENV'] || 'development';
  this.enable('x-powered-by');
  this.set('etag', 'weak');
  this.set('env', env);
  this.set('query parser', 'simple');
  this.set('subdomain offset', 2);
  this.set('trust proxy', false);
  markTrust(this, true);
  if (debugging) log('booting in %s mode', env);
  this.on('mount', inheritFrom);
  this.locals = Object.create(null) as Application['locals'];
  this.mountpath = '/';
  this.locals['settings'] = this.settings;
  this.set('view', View);
  this.set('views', resolve('views'));
  this.set('jsonp callback name', 'callback');
  if (env === 'production') this.enable('view cache');
}
