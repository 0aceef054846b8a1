import type { HttpError, UnknownError } from 'http-errors';
import { lazy } from '../core/lazy.js';

type CreateError = (...given: (number | UnknownError)[]) => HttpError;

const load = lazy(() => require('http-errors') as CreateError);

/**
 * The package `http-errors`. If it cannot be loaded, as where a program has frozen `Error` by then, the request fails with the reason: its error is
 * made in a listener, where the reason would end the process.
 */
export function createError(): CreateError {
  try {
    return load();
  } catch (error) {
    return () => error as HttpError;
  }
}

/** The errors of body parsing. Error handlers rely on their status, message, `type` and further fields. */
export function unsupportedCharset(charset: string, field: string = charset): HttpError {
  return createError()(415, `unsupported charset "${charset.toUpperCase()}"`, {
    charset: field,
    type: 'charset.unsupported',
  });
}

export function codingRefused(coding: string): HttpError {
  return createError()(415, 'content encoding unsupported', { encoding: coding, type: 'encoding.unsupported' });
}

export function unsupportedCoding(coding: string): HttpError {
  return createError()(415, `unsupported content encoding "${coding}"`, {
    encoding: coding,
    type: 'encoding.unsupported',
  });
}

export function tooLarge(limit: number, received: number): HttpError {
  return createError()(413, 'request entity too large', { limit, received, type: 'entity.too.large' });
}

export function aborted(expected: number | null, received: number): HttpError {
  return createError()(400, 'request aborted', {
    code: 'ECONNABORTED',
    expected,
    length: expected,
    received,
    type: 'request.aborted',
  });
}

export function wrongSize(expected: number, received: number): HttpError {
  return createError()(400, 'request size did not match content length', {
    expected,
    length: expected,
    received,
    type: 'request.size.invalid',
  });
}

export function tooManyParameters(): HttpError {
  return createError()(413, 'too many parameters', { type: 'parameters.too.many' });
}

export function tooDeep(): HttpError {
  return createError()(400, 'The input exceeded the depth', { type: 'querystring.parse.rangeError' });
}
