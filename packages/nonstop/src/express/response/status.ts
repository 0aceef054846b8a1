import type { Res } from './shape.js';
import { lazy } from '../../core/lazy.js';

const statuses = lazy(() => require('statuses') as typeof import('statuses'));

/**
 * Sets the status code.
 *
 * @throws TypeError unless it is an integer
 * @throws RangeError unless it has three digits
 */
export function status(this: Res, code: number): Res {
  if (!Number.isInteger(code)) {
    throw new TypeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be an integer.`);
  }
  if (code < 100 || code > 999) {
    throw new RangeError(
      `Invalid status code: ${JSON.stringify(code)}. Status code must be greater than 99 and less than 1000.`,
    );
  }
  this.statusCode = code;
  return this;
}

/** The reason phrase of a code, undefined when it is not registered. */
export function reason(code: number): string | undefined {
  return statuses().message[code];
}

/** Answers with a code and its reason phrase as text. */
export function sendStatus(this: Res, code: number): Res {
  const body = reason(code) || String(code);
  this.status(code);
  this.type('txt');
  return this.send(body);
}
