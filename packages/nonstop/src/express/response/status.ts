import type { Res } from './shape.js';
import { lazy } from '../../core/lazy.js';

const statuses = lazy(() => require('statuses') as typeof import('statuses'));

/**
 * Sets the status code.
 *
 * @throws TypeError if it is not an integer
 * @throws RangeError if it does not have three digits
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

/** The reason phrase of a status code; undefined if it is not registered. */
export function reason(code: number): string | undefined {
  return statuses().message[code];
}

/** Sends a status code with its reason phrase as text. */
export function sendStatus(this: Res, code: number): Res {
  const body = reason(code) || String(code);
  this.status(code);
  this.type('txt');
  return this.send(body);
}
