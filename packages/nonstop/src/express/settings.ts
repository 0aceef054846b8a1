import { parse as parseSimple } from 'node:querystring';
import { debugLog, debugging } from '../core/debug-log.js';
import { strongEtag, weakEtag } from '../core/etag.js';
import { loadAhead } from '../core/lazy.js';
import { qs } from '../core/packages.js';
import { engineName } from '../http/server/engine-switch.js';
import { dialectOf, type Dialect, type Application, type Settings } from './shape.js';
import { compileTrust } from './trust.js';

const log = debugLog('express:application');

/** Marks settings with the default `trust proxy`: such an application inherits its parent's when mounted. The name is Express's, for programs that look at it. */
const TRUST_IS_DEFAULT = '@@symbol:trust_proxy_default';

/** The function behind the setting `etag`. @throws TypeError for an invalid value */
export function compileETag(value: unknown): unknown {
  if (typeof value === 'function') return value;
  switch (value) {
    case true:
    case 'weak':
      return weakEtag;
    case 'strong':
      return strongEtag;
    case false:
      return undefined;
    default:
      throw new TypeError('unknown value for etag function: ' + (value as string));
  }
}

/** The function behind the setting `query parser`. @throws TypeError for an invalid value */
export function compileQueryParser(value: unknown, parsers: Dialect['queryParsers']): unknown {
  if (typeof value === 'function') return value;
  switch (value) {
    case true:
    case 'simple':
      return parseSimple;
    case 'extended':
      loadAhead('nested queries');
      return parsers.extended;
    case false:
      return parsers.none;
    default:
      throw new TypeError('unknown value for query parser function: ' + (value as string));
  }
}

export function parseExtended(query: string): unknown {
  return qs().parse(query, { allowPrototypes: true });
}

/**
 * The setting `http engine`; `engine` is an alias.
 *
 * @throws TypeError ERR_NONSTOP_ENGINE for an unknown value; undefined resets the choice
 */
function chooseEngine(settings: Settings, setting: string, value: unknown): void {
  if (value !== undefined) engineName(value, `The setting '${setting}'`);
  settings['http engine'] = settings['engine'] = value;
}

/** `app.set(name, value)`, and `app.set(name)` to read. */
export const setSetting = function set(this: Application, setting: string, value?: unknown): unknown {
  const { settings } = this;
  // Only one argument reads: `set(name, undefined)` writes, and so does `set()`.
  return arguments.length === 1 ? settings[setting] : writeSetting(this, setting, value);
};

/** Writes a setting, and the compiled setting that depends on it. @throws TypeError for an invalid value */
export function writeSetting(app: Application, setting: string, value: unknown): Application {
  const { settings } = app;
  if (debugging) log('set "%s" to %o', setting, value);
  if (setting === 'http engine' || setting === 'engine') chooseEngine(settings, setting, value);
  settings[setting] = value;
  if (setting === 'etag') {
    app.set('etag fn', compileETag(value));
  } else if (setting === 'query parser') {
    app.set('query parser fn', compileQueryParser(value, dialectOf(app).queryParsers));
  } else if (setting === 'trust proxy') {
    app.set('trust proxy fn', compileTrust(value));
    markTrust(app, false);
  }
  return app;
}

export function enabled(this: Application, setting: string): boolean {
  return Boolean(this.set(setting));
}

export function disabled(this: Application, setting: string): boolean {
  return !this.set(setting);
}

export function enable(this: Application, setting: string): unknown {
  return this.set(setting, true);
}

export function disable(this: Application, setting: string): unknown {
  return this.set(setting, false);
}

/** Records whether the application's `trust proxy` is still the default. */
export function markTrust(app: Application, isDefault: boolean): void {
  Object.defineProperty(app.settings, TRUST_IS_DEFAULT, { configurable: true, value: isDefault });
}

/** Replaces the default `trust proxy` by the parent's. */
export function inheritTrust(app: Application, parent: Application): void {
  if (app.settings[TRUST_IS_DEFAULT] !== true || typeof parent.settings['trust proxy fn'] !== 'function') return;
  delete app.settings['trust proxy'];
  delete app.settings['trust proxy fn'];
}
