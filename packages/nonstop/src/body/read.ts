import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { fieldsOf, type BodyRequest, type Next } from './shape.js';
import type { BodyFields } from '../core/shortcuts.js';
import type { Reading } from './dialect.js';
import { codingRefused, createError, unsupportedCharset, unsupportedCoding } from './errors.js';
import { collect, expectedLength, isCollectable, type Receiver } from './collect.js';
import { decode, isKnownCharset } from './charset.js';
import { inflater } from './inflate.js';
import { lazyPart } from '../core/lazy.js';
import { onFinished } from '../core/packages.js';
import { ownString } from '../core/strings.js';

const rawBody = lazyPart('bodies', () => require('raw-body') as typeof import('raw-body'));

interface Call {
  readonly req: BodyRequest;
  readonly res: ServerResponse;
  readonly next: Next;
  readonly reading: Reading;
}

/** One body that a parser is reading. */
class Job implements Receiver {
  readonly req: BodyRequest;
  readonly res: ServerResponse;
  readonly next: Next;
  readonly reading: Reading;
  readonly takesText: boolean;

  /**
   * @param charset `null`: the bytes are not decoded
   * @param inflating undefined for a body that was not compressed
   */
  constructor(
    { req, res, next, reading }: Call,
    readonly charset: string | null,
    readonly inflating: Transform | undefined,
  ) {
    this.req = req;
    this.res = res;
    this.next = next;
    this.reading = reading;
    this.takesText = reading.takesText !== undefined && charset === 'utf-8' && !reading.verify;
  }

  done(error: Error | null, body?: Buffer | string): void {
    if (error) fail(this, error);
    else finishReading(this, body!);
  }
}

/** Whether a message has a body, by its head (RFC 9112 §6.3). */
function hasBody(fields: BodyFields): boolean {
  return fields['transfer-encoding'] !== undefined || !Number.isNaN(Number(fields['content-length']));
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
  const received = fieldsOf(req);
  if (!hasBody(received)) return skip(reading, next, 'skip empty body');
  reading.log('content-type %j', received['content-type']);
  if (!reading.shouldParse(req, received)) return skip(reading, next, 'skip parsing');

  // The program's own check may have changed them.
  const fields = fieldsOf(req);
  const charset = reading.defaultCharset === null ? null : bodies.namedCharset(fields) || reading.defaultCharset;
  if (charset !== null) {
    if (reading.acceptsCharset?.(charset) === false) {
      reading.log('invalid charset');
      return next(unsupportedCharset(charset));
    }
  }
  bodies.claim(req);
  // Checked before the inflating stream is made: a return after that would leave its errors without a listener.
  if (charset !== null) {
    if (reading.verify && !isKnownCharset(charset)) return next(unsupportedCharset(charset, charset.toLowerCase()));
  }

  const coding = (fields['content-encoding'] || 'identity').toLowerCase();
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
  start(new Job({ req, res, next, reading }, charset, inflating), fields);
}

function start(job: Job, fields: BodyFields): void {
  const { req, reading, charset, inflating } = job;
  reading.log('read body');
  const expected = expectedLength(fields);
  const plain = inflating === undefined && (charset === null || charset === 'utf-8');
  if (plain && isCollectable(req, expected, reading.limit)) {
    collect(req, expected, reading.limit, job);
    return;
  }
  const options = {
    length: inflating === undefined ? fields['content-length'] : undefined,
    encoding: reading.verify ? null : charset,
    limit: reading.limit,
  };
  rawBody()(inflating ?? req, options, (error, body) => job.done(error, body));
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
      // For raw bytes the charset is null, although `@types/express` says that it is a string.
      reading.verify(req, res, body as Buffer, charset as string);
    } catch (error) {
      const type = (error as { type?: string }).type || 'entity.verify.failed';
      return next(createError()(403, error as Error, { body, type }));
    }
  }
  reading.log('parse body');
  let text: Buffer | string = body;
  try {
    if (typeof body !== 'string') text = charset === null ? body : decode(body, charset);
    else if (reading.takesText === 'copy') text = ownString(body);
    req.body = reading.parse(text as never, charset);
  } catch (error) {
    const type = (error as { type?: string }).type || 'entity.parse.failed';
    return next(createError()(400, error as Error, { body: text, type }));
  }
  next();
}
