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
  // Two calls, because V8 serialises faster with one argument.
  const text = replacer || spaces ? JSON.stringify(value, replacer, spaces) : JSON.stringify(value);
  // `text` is undefined for a value that has no JSON; the types of `JSON.stringify` lack this.
  if (!escape || typeof text !== 'string') return text;
  return text.replace(/[<>&]/g, (character) => ESCAPES[character]);
}

/** Sends the JSON of a value. */
export const answerJson = function json(this: Res, value: unknown): Res {
  return sendJson(sending5, this, value);
};

/** The same for one Express dialect. */
export function sendJson(sending: Sending, res: Res, value: unknown): Res {
  const text = stringify(value, res.app);
  if (typeof text === 'string' && isUnpatched(sending, res) && !host.getKnown(res, CONTENT_TYPE)) {
    // The value that `send` would set, in one write instead of two.
    host.setKnown(res, CONTENT_TYPE, JSON_TYPE);
    return respond(sending, res, text, 'utf8');
  }
  if (!res.get('Content-Type')) res.set('Content-Type', 'application/json');
  return res.send(text);
}

/** Sends JSON or, if the query names a callback, a script that calls it. */
export function jsonp(this: Res, value: unknown): Res {
  return sendJsonp(this, value);
}

/** {@link jsonp}, which Express 4 answers alike once it has taken a status from its arguments. */
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
 * A script that calls a callback. Only characters of member expressions are kept of its name, so that a query cannot
 * inject code. The comment at the start prevents Rosetta Flash, an attack that makes browsers read the response as a
 * Flash file. The test for a function avoids an error on the page.
 */
function script(callback: string, text: string | undefined): string {
  const name = callback.replace(/[^[\]\w$.]/g, '');
  // JSON allows these two characters in a string; JavaScript did not before ES2019.
  const argument = text === undefined ? '' : text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  return `/**/ typeof ${name} === 'function' && ${name}(${argument});`;
}
