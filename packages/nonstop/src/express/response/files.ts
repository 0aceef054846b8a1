import path = require('node:path');
import type { Next, Res } from './shape.js';
import { lazy } from '../../core/lazy.js';
import { files5, type Files, type Lookup } from '../../files/dialect.js';
import { plainTarget } from '../../files/plain-file.js';
import { transfer, transferPlain } from '../../files/send-file.js';

const contentDisposition = lazy(() => require('content-disposition') as typeof import('content-disposition'));

export type Done = (error?: Error) => void;
type Fields = Record<string, string | string[]>;

/** Options of `send`, and fields to add when the file is found. */
export interface SendFileOptions {
  root?: string;
  headers?: Fields;
  etag?: boolean;
  [option: string]: unknown;
}

/**
 * Sends a file; `done` or else `next` gets what went wrong. Without `done`, a directory is passed on as not found here
 * (`next()`) and a client that went away as nothing at all.
 *
 * @throws TypeError for a path that is missing, no string, or relative without `root`
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

/** What the two ways of giving options and a callback come to. */
export interface Sent {
  readonly settings: SendFileOptions;
  readonly done: Done | undefined;
}

/** Reports the end of a transfer to the callback of a handler or, what is an error, to `next`. */
export function reportTo(next: Next, done: Done | undefined): (error?: NodeJS.ErrnoException) => void {
  return (error) => {
    if (done) done(error);
    else if (error?.code === 'EISDIR') next();
    else if (error && error.code !== 'ECONNABORTED' && error.syscall !== 'write') next(error);
  };
}

/** Sends a file in the way of one Express, and reports as {@link sendFile} says. */
export function sendPath(files: Files, res: Res, file: string, { settings, done }: Sent): void {
  const { req } = res;
  const { next } = req;
  const stream = (): Lookup => files.send(req, encodeURI(file), settings);
  const settle = reportTo(next, done);
  // Who is told of the end is told of a client that goes away, too, which takes the listeners of a transfer.
  const plain = done ? undefined : plainTarget(files, file, settings);
  if (plain === undefined) transfer(res, stream(), { headers: settings.headers, done: settle, files });
  else transferPlain(plain, { req, res, options: settings, files, stream, done: settle });
}

/** The arguments of `download`, whose middle two may be left out. */
export function downloadArguments(
  filename: string | SendFileOptions | Done | null | undefined,
  options: SendFileOptions | Done | null | undefined,
  callback: Done | undefined,
): { name: string | undefined; settings: SendFileOptions | null; done: Done | undefined } {
  const leftOut = typeof options === 'function' || options === undefined;
  const done = typeof filename === 'function' ? filename : typeof options === 'function' ? options : callback;
  if (typeof filename === 'function') return { name: undefined, settings: null, done };
  if (typeof filename === 'object' && leftOut) return { name: undefined, settings: filename, done };
  return { name: filename as string | undefined, settings: typeof options === 'object' ? options : null, done };
}

/** Sends a file to be saved, under its own name or `filename`. */
export function download(
  this: Res,
  file: string,
  filename?: string | SendFileOptions | Done | null,
  options?: SendFileOptions | Done | null,
  callback?: Done,
): void {
  const { name, settings, done } = downloadArguments(filename, options, callback);
  const headers: Fields = { 'Content-Disposition': contentDisposition().create(path.basename(name || file)) };
  for (const [field, value] of Object.entries(settings?.headers ?? {})) {
    if (field.toLowerCase() !== 'content-disposition') headers[field] = value;
  }
  // The options are inherited rather than copied: they may be an object whose own options are inherited too.
  const own = Object.create(settings) as SendFileOptions;
  own.headers = headers;
  return this.sendFile(own.root ? file : path.resolve(file), own, done);
}

/** Marks the answer as one to be saved, with the name and type of `filename` when it is given. */
export function attachment(this: Res, filename?: string): Res {
  const name = filename !== undefined ? path.basename(filename) : undefined;
  if (name) this.type(path.extname(name));
  return this.set('Content-Disposition', contentDisposition().create(name));
}
