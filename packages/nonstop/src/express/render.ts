import { dialectOf, type Application } from './shape.js';
import type { RenderDone, View } from './view.js';

interface RenderOptions {
  cache?: unknown;
  _locals?: object;
  [name: string]: unknown;
}

type ViewClass = new (name: string, options: object) => View;

/**
 * Renders a view with `app.locals`, then the locals of the response, then `options`.
 *
 * @param options optional; its `cache` overrides the setting `view cache`
 * @param callback called with the markup, or with an error
 * @throws Error if the engine is unknown or cannot be loaded
 */
export const renderByApplication = function render(
  this: Application,
  name: string,
  options?: object | RenderDone,
  callback?: RenderDone,
): void {
  const done = (typeof options === 'function' ? options : callback) as RenderDone;
  const { mergeLocals, renderOptions } = dialectOf(this);
  const given = (typeof options === 'function' ? {} : renderOptions(options)) as RenderOptions;
  const merged: RenderOptions = mergeLocals(this.locals, given._locals, given);
  merged.cache ??= this.enabled('view cache');
  let view = merged.cache ? this.cache[name] : undefined;
  if (!view) {
    view = findView(this, name);
    if (!view.path) return done(missing(view, name));
    if (merged.cache) this.cache[name] = view;
  }
  tryRender(view, merged, done);
};

/** Without a callback, the TypeError has its name, as in Express. So has that of a missing view: `done`. */
function tryRender(view: View, options: RenderOptions, callback: RenderDone): void {
  try {
    view.render(options, callback as never);
  } catch (error) {
    callback(error);
  }
}

function findView(app: Application, name: string): View {
  const Found = app.get('view') as ViewClass;
  return new Found(name, { defaultEngine: app.get('view engine'), root: app.get('views'), engines: app.engines });
}

function missing(view: View, name: string): Error {
  const where = places(view.root);
  return Object.assign(new Error(`Failed to lookup view "${name}" in views ${where}`), { view });
}

function places(root: string | readonly string[]): string {
  if (!Array.isArray(root) || root.length < 2) return `directory "${String(root)}"`;
  const last = String(root[root.length - 1]);
  return `directories "${root.slice(0, -1).join('", "')}" or "${last}"`;
}
