import type { Callback, Res } from './shape.js';

type RenderOptions = object & { _locals?: object };

/** Renders a view with `res.locals` and sends it as HTML. With `callback`, passes the text or the error to it instead. */
export function render(
  this: Res,
  view: string,
  options?: RenderOptions | Callback<string> | null,
  callback?: Callback<string>,
): void {
  const req = this.req;
  const settings: RenderOptions = typeof options === 'function' ? {} : options || {};
  const done = typeof options === 'function' ? options : callback;

  settings._locals = this.locals;
  req.app.render(
    view,
    settings,
    done ||
      ((error, text) => {
        if (error) req.next(error);
        else this.send(text);
      }),
  );
}
