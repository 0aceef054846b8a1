import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onFinished } from '../core/packages.js';
import type { Files, Lookup, SendStream } from './dialect.js';
import { keptSoFar } from './content-cache.js';
import { answerPlain, isPlainAnswer, isSpecial, statShared, type Options } from './plain-file.js';
import { isPlainDisposition } from './plain-pipe.js';
import { answerWithoutStream } from './small-file.js';

/** Header fields by name; node refuses values that a field cannot have. */
export type Fields = Record<string, unknown>;

function failure(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

/** The options of a program, which may change them until the file is found. */
interface Given {
  readonly headers?: Fields;
}

type Done = (error?: NodeJS.ErrnoException) => void;

/** The end of a transfer, which is told once. */
interface Ending {
  /** Whether the content is on its way; undefined if the file is not found yet. */
  streaming: boolean | undefined;
  readonly settle: Done;
}

interface Wanted {
  /** Its `headers` are set when the file is found, if there are any when the transfer begins. */
  readonly options: Given;
  readonly ending: Ending;
  readonly files: Files;
  /** For a file that is already found: what the stream does next. */
  readonly begin: (() => void) | undefined;
}

const requestAborted = (): NodeJS.ErrnoException => failure('Request aborted', 'ECONNABORTED');

/** Whether an error of a response says that its client has left. Over HTTP/2 it may give any reason. */
const isOfClient = ({ code }: NodeJS.ErrnoException): boolean => /^ECONNRESET$|HTTP2_/.test(code ?? '');

/** Tells once how a transfer ends that begins now: see {@link transfer}. */
export function endingOf(res: ServerResponse, done: Done): Ending {
  let settled = false;
  const settle: Done = (error) => {
    if (settled) return;
    settled = true;
    done(error);
  };
  const ending: Ending = { streaming: undefined, settle };
  onFinished()(res, (error: NodeJS.ErrnoException | null) => {
    if (error) return settle(isOfClient(error) ? requestAborted() : error);
    if (settled) return;
    // The file's own 'end' may still come in this turn. A response that ends while the file streams, or before it is
    // found, was ended by the client. A response without a stream (304, HEAD) ends here.
    setImmediate(() => (ending.streaming !== false ? settle(requestAborted()) : settle()));
  });
  return ending;
}

/**
 * Sends a file and reports once: no error when the whole file was passed on, EISDIR for a directory, ECONNABORTED when
 * the client went away, or the error of the file system or of `send`.
 */
export function transfer(res: ServerResponse, file: SendStream, { options, ending, files, begin }: Wanted): void {
  const { settle } = ending;
  file.on('directory', () => settle(failure('EISDIR, read', 'EISDIR')));
  file.on('end', () => settle());
  file.on('error', settle);
  file.on('file', () => (ending.streaming = false));
  file.on('stream', () => (ending.streaming = true));
  if (options.headers) {
    file.on('headers', (found: ServerResponse) => setAll(found, options.headers!));
  }
  answerWithoutStream(file, files.tellsOfClosing);
  if (begin === undefined) file.pipe(res);
  else begin();
}

/** Whether these fields, which are set later, leave a response plain. */
function arePlain(headers: Fields | undefined): boolean {
  return Object.entries(headers ?? {}).every(
    ([name, value]) => name.toLowerCase() !== 'content-disposition' || isPlainDisposition(value),
  );
}

function setAll(res: ServerResponse, headers: Fields): void {
  for (const name of Object.keys(headers)) res.setHeader(name, headers[name] as string);
}

/** The arguments of `res.sendFile()`, and what makes its stream when one is needed. */
export interface Transfer {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly options: Options & Given;
  /** The values of those options when the transfer began. */
  readonly now: Options;
  readonly files: Files;
  stream(): Lookup;
  /** Called as by {@link transfer}. */
  readonly done: Done;
  /** Whether success and a client that went away are told, too, which needs listeners for the end of the response. */
  readonly tellsAll: boolean;
}

/** Sends the file of a plain path, without a stream if the response is plain too. */
export function transferPlain(file: string, { req, res, options, now, files, stream, done, tellsAll }: Transfer): void {
  const given: Given = options.headers ? options : {};
  const byStream = (begin?: (lookup: Lookup) => void): void => {
    const lookup = stream();
    transfer(res, lookup, {
      options: given,
      ending: told ?? endingOf(res, done),
      files,
      begin: begin && (() => begin(lookup)),
    });
  };
  // Before the callback, in which an error of loading the package would be uncaught.
  files.load();
  const before = keptSoFar();
  // An answer that was sent before is told of as by Express.
  const told = tellsAll || res.writableEnded ? endingOf(res, done) : undefined;
  // Agents show the name, which is that in `send`.
  const onstat = (error: NodeJS.ErrnoException | null, stat?: Stats): void => {
    // Another answer was sent meanwhile. `endingOf` would take that for an abort, which is not reported.
    if (told === undefined && res.writableFinished) return;
    if (told === undefined && res.errored && !isOfClient(res.errored)) return done(res.errored);
    if (error !== null) {
      byStream((lookup) => {
        lookup.res = res;
        lookup.onStatError(error);
      });
      return;
    }
    if (stat === undefined || stat.isDirectory()) {
      byStream();
      return;
    }
    const found = { req, res, file, stat, before };
    if (isPlainAnswer(found) && !isSpecial(options) && arePlain(given.headers)) {
      if (told !== undefined) told.streaming = false;
      if (given.headers) setAll(res, given.headers);
      if (told !== undefined && req.method !== 'HEAD') told.streaming = true;
      answerPlain(files, found, now, {
        failed(failure) {
          // After the response only closing the file can fail, and the response was already reported as sent.
          if (!res.writableEnded) byStream((lookup) => lookup.onStatError(failure));
        },
        broken: told === undefined ? () => void onFinished()(res, (error) => done(error ?? undefined)) : undefined,
        ended: told && (() => told.settle()),
      });
      return;
    }
    byStream((lookup) => {
      lookup.res = res;
      lookup.emit('file', file, stat);
      lookup.send(file, stat);
    });
  };
  statShared(file, 0, onstat);
}
