import path = require('node:path');
import type { SendFileOptions as PublicOptions } from '../../types/response.js';
import type { Next, Res } from './shape.js';
import { lazy } from '../../core/lazy.js';
import { files5, type Files, type Lookup } from '../../files/dialect.js';
import { isLed, optionsNow, plainTarget, withValues } from '../../files/plain-file.js';
import { endingOf, transfer, transferPlain, type Fields } from '../../files/send-file.js';

const contentDisposition = lazy(() => require('content-disposition') as typeof import('content-disposition'));

export type Done = (error?: Error) => void;

/** Options of `send`, and fields to add when the file is found. */
export interface SendFileOptions extends PublicOptions {
  [option: string]: unknown;
}

/**
 * Sends a file. `done`, or without it `next`, gets the error. Without `done`, `next()` is called without an error for a
 * directory, and not at all when the client went away.
 *
 * @throws TypeError for a path that is missing, not a string, or relative without `root`
 */
export function sendFile(this: Res, file: string, options?: SendFileOptions | Done | null, callback?: Done): void {
  if (!file) throw new TypeError('path argument is required to res.sendFile');
  if (typeof file !== 'string') throw new TypeError('path must be a string to res.sendFile');
  const done = typeof options === 'function' ? options : callback;
  const settings = typeof options === 'function' ? {} : options || {};
  if (!settings.root && !path.isAbsolute(file)) {
    throw new TypeError('path must be absolute or specify root to res.sendFile');
  }

  settings.etag = this.app.enabled('etag');
  sendPath(files5, this, file, { settings, done });
}

/** The options and callback of both argument forms. */
export interface Sent {
  readonly settings: SendFileOptions;
  readonly done: Done | undefined;
}

/** Reports the end of a transfer to the handler's callback; without a callback, an error goes to `next`. */
export function reportTo(next: Next, done: Done | undefined): (error?: NodeJS.ErrnoException) => void {
  return (error) => {
    if (done) done(error);
    else if (error?.code === 'EISDIR') next();
    else if (error && error.code !== 'ECONNABORTED' && error.syscall !== 'write') next(error);
  };
}

/** The same as {@link sendFile} for one Express dialect. */
export function sendPath(files: Files, res: Res, file: string, { settings, done }: Sent): void {
  const { req } = res;
  const { next } = req;
  const settle = reportTo(next, done);
  const now = optionsNow(settings);
  const plain = isLed(files, settings) ? undefined : plainTarget(file, now);
  if (plain === undefined) {
    const stream = files.send(req, encodeURI(file), settings);
    transfer(res, stream, { options: settings, ending: endingOf(res, settle), files, begin: undefined });
    return;
  }
  // The others, which are for the stream of the file, are read later.
  const stream = (): Lookup => files.send(req, encodeURI(file), withValues(settings, now));
  transferPlain(plain, { req, res, options: settings, now, files, stream, done: settle, tellsAll: Boolean(done) });
}

/** The arguments of `download` behind the file. */
interface Download {
  readonly name: string | undefined;
  readonly settings: SendFileOptions | null;
  readonly done: Done | undefined;
}

/** They may leave out the first two. */
export function downloadArguments(
  filename: string | SendFileOptions | Done | null | undefined,
  options: SendFileOptions | Done | null | undefined,
  callback: Done | undefined,
): Download {
  const leftOut = typeof options === 'function' || options === undefined;
  const done = typeof filename === 'function' ? filename : typeof options === 'function' ? options : callback;
  if (typeof filename === 'function') return { name: undefined, settings: null, done };
  if (typeof filename === 'object' && leftOut) return { name: undefined, settings: filename, done };
  // Other values than objects throw where they are inherited from, as in Express.
  return {
    name: filename as string | undefined,
    settings: (typeof options === 'function' ? null : options) || null,
    done,
  };
}

/** The same as {@link download} for one Express dialect. @param dispositionOf the field for the name that the file gets */
export function sendDownload(
  dispositionOf: (name: string) => string,
  res: Res,
  file: string,
  { name, settings, done }: Download,
): void {
  const headers: Fields = { 'Content-Disposition': dispositionOf(name || file) };
  for (const [field, value] of Object.entries(settings?.headers ?? {})) {
    if (field.toLowerCase() !== 'content-disposition') headers[field] = value;
  }
  // The options are inherited, not copied: the user's object may itself inherit its options.
  const own = Object.create(settings) as SendFileOptions;
  own.headers = headers;
  return res.sendFile(own.root ? file : path.resolve(file), own, done);
}

const dispositionNamed = (name: string): string => contentDisposition().create(path.basename(name));

/** Sends a file to be saved, under its own name or `filename`. */
export function download(
  this: Res,
  file: string,
  filename?: string | SendFileOptions | Done | null,
  options?: SendFileOptions | Done | null,
  callback?: Done,
): void {
  return sendDownload(dispositionNamed, this, file, downloadArguments(filename, options, callback));
}

/** Sets Content-Disposition to `attachment`, with the name and type of `filename` if given. */
export function attachment(this: Res, filename?: string): Res {
  const name = filename !== undefined ? path.basename(filename) : undefined;
  if (name) this.type(path.extname(name));
  return this.set('Content-Disposition', contentDisposition().create(name));
}
