import { statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { callableClass } from '../core/callable-class.js';
import { debugLog, debugging } from '../core/debug-log.js';
import { expressPlaces } from '../files/express-places.js';

const log = debugLog('express:view');

/** A function that renders a file, such as `ejs.renderFile`. */
export type Engine = (path: string, options: object, done: RenderDone) => void;

export type RenderDone = (err: unknown, markup?: string) => void;

export interface ViewOptions {
  /** The extension of views whose name has none. */
  readonly defaultEngine?: string | undefined;
  /** Where to look, in order. */
  readonly root: string | readonly string[];
  /** Engines by extension, with the dot. A missing engine is loaded and added. */
  readonly engines: Record<string, Engine>;
}

type Rendered = (this: unknown, ...result: unknown[]) => void;

/** A template found by name, with the engine that renders it. `app.set('view', ...)` can replace this class. */
export class View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[];
  engine: Engine;
  /** Undefined if there is no such file. */
  path: string | undefined;

  /** @throws Error if neither the name nor the options select an engine, or its module is not an engine */
  constructor(name: string, options?: ViewOptions) {
    const given = options || ({} as ViewOptions);
    this.defaultEngine = given.defaultEngine;
    this.ext = extname(name);
    this.name = name;
    this.root = given.root;
    if (!this.ext && !this.defaultEngine) {
      throw new Error('No default engine was specified and no extension was provided.');
    }
    let file = name;
    if (!this.ext) {
      const engine = this.defaultEngine as string;
      // By index: it may be no string, such as a list with one name.
      this.ext = engine[0] === '.' ? engine : `.${engine}`;
      file += this.ext;
    }
    this.engine = given.engines[this.ext] ||= loadEngine(this.ext.slice(1));
    this.path = this.lookup(file);
  }

  /** `nonstop/register`: Nonstop stands for an Express whose `lib/view.js` is this file, with this `require`. */
  static standsFor(major: 4 | 5, file: string, require: NodeJS.Require): void {
    expressPlaces.set(file, { major, require });
  }

  /** The first file with this name under the roots. */
  lookup(name: string): string | undefined {
    if (debugging) log('lookup "%s"', name);
    for (const root of Array.isArray(this.root) ? (this.root as string[]) : [this.root as string]) {
      const wanted = resolve(root, name);
      const found = this.resolve(dirname(wanted), basename(wanted));
      if (found) return found;
    }
    return undefined;
  }

  /** Calls the engine; `done` is never called before this returns, even if the engine calls back at once. */
  render(options: object, done: Rendered): void {
    if (debugging) log('render "%s"', this.path);
    let returned = false;
    this.engine(this.path as string, options, function rendered(this: unknown, ...result) {
      if (returned) done.apply(this, result);
      else process.nextTick(() => done.apply(this, result));
    });
    returned = true;
  }

  /** `dir/file`, or the index file of the folder of that name. */
  resolve(dir: string, file: string): string | undefined {
    const found = join(dir, file);
    if (isFile(found)) return found;
    const index = join(dir, basename(file, this.ext), `index${this.ext}`);
    return isFile(index) ? index : undefined;
  }
}

/** {@link View}, as programs get it. */
export const ViewFunction = callableClass(View, ['lookup', 'render', 'resolve']);

function loadEngine(name: string): Engine {
  if (debugging) log('require "%s"', name);
  const engine = (requireEngine(name) as { __express?: unknown }).__express;
  if (typeof engine !== 'function') throw new Error(`Module "${name}" does not provide a view engine.`);
  return engine as Engine;
}

/** Searches from each installed Express that Nonstop stands for, as that would, and last from Nonstop's own folder. */
function requireEngine(name: string): unknown {
  let missing: unknown;
  for (const place of expressPlaces.values()) {
    try {
      return place.require(name);
    } catch (error) {
      if (!isNotFound(error, name)) throw error;
      missing ??= error;
    }
  }
  try {
    return require(name);
  } catch (error) {
    // Express's error names the files from which it has searched.
    throw isNotFound(error, name) ? (missing ?? error) : error;
  }
}

/** Whether this module was not found; an engine that is found may itself miss another. */
function isNotFound(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && message.split('\n', 1)[0] === `Cannot find module '${name}'`;
}

function isFile(path: string): boolean {
  if (debugging) log('stat "%s"', path);
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
