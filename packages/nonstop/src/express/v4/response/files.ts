import path = require('node:path');
import { lazy } from '../../../core/lazy.js';
import { files4 } from '../../../files/v4/dialect.js';
import { dispositionOf } from './disposition.js';
import {
  downloadArguments,
  reportTo,
  sendDownload,
  sendPath,
  type Done,
  type SendFileOptions,
} from '../../response/files.js';
import type { Res } from '../../response/shape.js';
import { endingOf, transfer } from '../../../files/send-file.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Sends a file as `res.sendFile` of Express 5, but only the option `etag` decides on a tag. @throws TypeError as there */
export function sendFile(this: Res, file: string, options?: SendFileOptions | Done | null, callback?: Done): void {
  if (!file) throw new TypeError('path argument is required to res.sendFile');
  if (typeof file !== 'string') throw new TypeError('path must be a string to res.sendFile');
  const sent = sentBy(options, callback);
  if (!sent.settings.root && !isAbsolute(file)) {
    throw new TypeError('path must be absolute or specify root to res.sendFile');
  }
  sendPath(files4, this, file, sent);
}

/** Sends a file whose path is percent-encoded, and may be relative. */
export function sendfile(this: Res, file: string, options?: SendFileOptions | Done | null, callback?: Done): void {
  deprecate()('res.sendfile: Use res.sendFile instead');
  const { settings, done } = sentBy(options, callback);
  const stream = files4.send(this.req, file, settings);
  transfer(this, stream, {
    options: settings,
    ending: endingOf(this, reportTo(this.req.next, done)),
    files: files4,
    begin: undefined,
  });
}

function sentBy(
  options: SendFileOptions | Done | null | undefined,
  callback: Done | undefined,
): { settings: SendFileOptions; done: Done | undefined } {
  return typeof options === 'function' ? { settings: {}, done: options } : { settings: options || {}, done: callback };
}

/** A path that is absolute on any system. */
export function isAbsolute(file: string): boolean {
  return file.startsWith('/') || /^.:[\\/]/.test(file) || file.startsWith('\\\\');
}

/** Sends a file to be saved, under its own name or `filename`. */
export function download(
  this: Res,
  file: string,
  filename?: string | SendFileOptions | Done | null,
  options?: SendFileOptions | Done | null,
  callback?: Done,
): void {
  return sendDownload(dispositionOf, this, file, downloadArguments(filename, options, callback));
}

/** Sets Content-Disposition to `attachment`, with the name and type of `filename` if given. */
export function attachment(this: Res, filename?: string): Res {
  if (filename) this.type(path.extname(filename));
  return this.set('Content-Disposition', dispositionOf(filename));
}
