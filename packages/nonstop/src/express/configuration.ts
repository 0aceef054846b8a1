import { resolve } from 'node:path';
import { debugLog, debugging } from '../core/debug-log.js';
import { dialectOf, kExpress, type Application, type Dialect, type Settings } from './shape.js';
import { inheritFrom } from './mount.js';
import { markTrust } from './settings.js';

const log = debugLog('express:application');

/** Makes `app.init()`: it gives a new application its stores and its defaults. */
export function initOf(own: Dialect): (this: Application) => void {
  function init(this: Application): void {
    // A function of the program's own, to which it has copied the members of `express.application`, has no dialect yet.
    const dialect = this[kExpress] ?? own;
    if (this[kExpress] === undefined) Object.defineProperty(this, kExpress, { value: dialect });
    this.cache = dialect.newStore() as Application['cache'];
    this.engines = dialect.newStore() as Application['engines'];
    this.settings = dialect.newStore() as Settings;
    this.defaultConfiguration();
    dialect.defineRouter(this);
  }
  return Object.defineProperty(init, kExpress, { value: own });
}

export function defaultConfiguration(this: Application): void {
  const env = process.env['NODE_ENV'] || 'development';
  this.enable('x-powered-by');
  this.set('etag', 'weak');
  this.set('env', env);
  this.set('query parser', dialectOf(this).queryParser);
  this.set('subdomain offset', 2);
  this.set('trust proxy', false);
  markTrust(this, true);
  if (debugging) log('booting in %s mode', env);
  this.on('mount', inheritFrom);
  this.locals = Object.create(null) as Application['locals'];
  this.mountpath = '/';
  this.locals['settings'] = this.settings;
  this.set('view', dialectOf(this).View);
  this.set('views', resolve('views'));
  this.set('jsonp callback name', 'callback');
  if (env === 'production') this.enable('view cache');
}
