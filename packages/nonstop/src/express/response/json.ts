import type { AppSettings, Res } from './shape.js';
import { host } from '../../http/host.js';
import { CONTENT_TYPE, isUnpatched, respond, sending5, type Sending } from './send.js';
import { JSON_TYPE } from './media-type.js';

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

const ESCAPES: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** The JSON of a value under the application's settings; undefined for a value that has none (a function, undefined). */
function stringify(value: unknown, app: AppSettings): string | undefined {
  const escape = app.get('json escape');
  const replacer = app.get('json replacer') as Replacer | undefined;
  const spaces = app.get('json spaces') as string | number | undefined;
  // Two calls, because V8 serialises faster when it is given the value alone.
  const text = replacer || spaces ? JSON.stringify(value, replacer, spaces) : JSON.stringify(value);
  // `text` is undefined for a value that has no JSON, which the types of `JSON.stringify` do not say.
  if (!escape || typeof text !== 'string') return text;
  return text.replace(/[<>&]/g, (character) => ESCAPES[character]);
}

/** Answers with the JSON of a value. */
export const answerJson = function json(this: Res, value: unknown): Res {
  return sendJson(sending5, this, value);
};

/** Sends the JSON of a value, in the way of one Express. */
export function sendJson(sending: Sending, res: Res, value: unknown): Res {
  const text = stringify(value, res.app);
  if (typeof text === 'string' && isUnpatched(sending, res) && !host.getKnown(res, CONTENT_TYPE)) {
    // What `send` would make of the field below, in one write of it instead of two.
    host.setKnown(res, CONTENT_TYPE, JSON_TYPE);
    return respond(sending, res, text, 'utf8');
  }
  if (!res.get('Content-Type')) res.set('Content-Type', 'application/json');
  return res.send(text);
}

/** Answers with JSON, or, when the query names a callback, with a script that calls it. */
export function jsonp(this: Res, value: unknown): Res {
  return sendJsonp(this, value);
}

/** The same for each Express. */
export function sendJsonp(res: Res, value: unknown): Res {
  const text = stringify(value, res.app);
  const named = res.req.query[res.app.get('jsonp callback name') as string];
  const callback: unknown = Array.isArray(named) ? named[0] : named;

  if (!res.get('Content-Type')) {
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Content-Type', 'application/json');
  }
  if (typeof callback !== 'string' || callback.length === 0) return res.send(text);

  res.set('X-Content-Type-Options', 'nosniff');
  res.set('Content-Type', 'text/javascript');
  return res.send(script(callback, text));
}

/**
 * The call of a callback. Only member expressions are left of its name, so that a query cannot bring code of its own;
 * the comment in front stops the answer from being read as a Flash file (Rosetta Flash); the test for a function
 * spares the page an error.
 */
function script(callback: string, text: string | undefined): string {
  const name = callback.replace(/[^[\]\w$.]/g, '');
  // JSON allows these two in a string; before ES2019 JavaScript did not.
  const argument = text === undefined ? '' : text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  return `/**/ typeof ${name} === 'function' && ${name}(${argument});`;
}
