import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import type { BodyRequest, Next } from './shape.js';
import type { Reading } from './dialect.js';
import { codingRefused, createError, unsupportedCharset, unsupportedCoding } from './errors.js';
import { collect, expectedLength, isCollectable } from './collect.js';
import { decode, isKnownCharset } from './charset.js';
import { inflater } from './inflate.js';
import { lazy } from '../core/lazy.js';

const onFinished = lazy(() => require('on-finished') as typeof import('on-finished'));
const rawBody = lazy(() => require('raw-body') as typeof import('raw-body'));

/** One body that a parser is reading. */
interface Job {
  readonly req: BodyRequest;
  readonly res: ServerResponse;
  readonly next: Next;
  readonly reading: Reading;
  /** `null`: the bytes are not decoded. */
  readonly charset: string | null;
  /** Undefined for a body that was not compressed. */
  readonly inflating: Transform | undefined;
}

/** Whether a message has a body, by its head (RFC 9112 §6.3). */
function hasBody(req: BodyRequest): boolean {
  return req.headers['transfer-encoding'] !== undefined || !Number.isNaN(Number(req.headers['content-length']));
}

function skip(reading: Reading, next: Next, why: string): void {
  reading.log(why);
  next();
}

/**
 * Reads the body of a request, if the parser accepts it, and puts the parsed value into `req.body`.
 *
 * The checks are in Express's order, because the first error is the one that is reported.
 */
export function read(req: BodyRequest, res: ServerResponse, next: Next, reading: Reading): void {
  const { bodies } = reading;
  if (bodies.isParsed(req)) return skip(reading, next, 'body already parsed');
  bodies.prepare(req);
  if (!hasBody(req)) return skip(reading, next, 'skip empty body');
  reading.log('content-type %j', req.headers['content-type']);
  if (!reading.shouldParse(req)) return skip(reading, next, 'skip parsing');

  const charset = reading.defaultCharset === null ? null : bodies.namedCharset(req) || reading.defaultCharset;
  if (charset !== null) {
    if (reading.acceptsCharset?.(charset) === false) {
      reading.log('invalid charset');
      return next(unsupportedCharset(charset));
    }
  }
  bodies.claim(req);
  // Checked before the inflating stream is made: a return behind it would leave its errors without a listener.
  if (charset !== null) {
    if (reading.verify && !isKnownCharset(charset)) return next(unsupportedCharset(charset, charset.toLowerCase()));
  }

  const coding = (req.headers['content-encoding'] || 'identity').toLowerCase();
  reading.log('content-encoding "%s"', coding);
  let inflating: Transform | undefined;
  if (coding !== 'identity') {
    if (!reading.inflate) return next(codingRefused(coding));
    try {
      if (!bodies.codings.includes(coding)) throw unsupportedCoding(coding);
      inflating = inflater(coding, reading.log);
    } catch (error) {
      return next(error);
    }
    req.pipe(inflating);
  }
  start({ req, res, next, reading, charset, inflating });
}

function start(job: Job): void {
  const { req, reading, charset, inflating } = job;
  reading.log('read body');
  const expected = expectedLength(req);
  const plain = inflating === undefined && (charset === null || charset === 'utf-8');
  if (plain && isCollectable(req, expected, reading.limit)) {
    collect(req, expected, reading.limit, (error, bytes) => {
      if (error === null) finishReading(job, bytes as Buffer);
      else fail(job, error);
    });
    return;
  }
  const options = {
    length: inflating === undefined ? req.headers['content-length'] : undefined,
    encoding: reading.verify ? null : charset,
    limit: reading.limit,
  };
  rawBody()(inflating ?? req, options, (error, body) => {
    if (error) fail(job, error);
    else finishReading(job, body);
  });
}

/** Reports an error after reading the rest of the request, so that the connection can be used again. */
function fail(job: Job, error: Error & { type?: string }): void {
  const { req, next, charset, inflating } = job;
  const reported =
    error.type === 'encoding.unsupported' && charset !== null
      ? unsupportedCharset(charset, charset.toLowerCase())
      : createError()(400, error);
  if (inflating !== undefined) {
    req.unpipe();
    inflating.destroy();
  }
  const report = (): void => next(reported);
  if (onFinished().isFinished(req)) return report();
  onFinished()(req, report);
  req.resume();
}

/** Stops an inflating stream that is done, and reads what the client sent after the compressed data. */
function dismiss(req: BodyRequest, inflating: Transform): void {
  req.unpipe(inflating);
  inflating.on('error', () => {});
  inflating.destroy();
  req.resume();
}

function finishReading(job: Job, body: Buffer | string): void {
  const { req, res, next, reading, charset, inflating } = job;
  if (inflating !== undefined) dismiss(req, inflating);
  if (reading.verify) {
    reading.log('verify body');
    try {
      // Of raw bytes the charset is null. The known types of Express say that it is a string.
      reading.verify(req, res, body as Buffer, charset as string);
    } catch (error) {
      const type = (error as { type?: string }).type || 'entity.verify.failed';
      return next(createError()(403, error as Error, { body, type }));
    }
  }
  reading.log('parse body');
  let text: Buffer | string = body;
  try {
    if (typeof body !== 'string' && charset !== null) text = decode(body, charset);
    req.body = reading.parse(text as never, charset);
  } catch (error) {
    const type = (error as { type?: string }).type || 'entity.parse.failed';
    return next(createError()(400, error as Error, { body: text, type }));
  }
  next();
}
