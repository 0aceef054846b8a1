import type fs = require('node:fs');
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Stream } from 'node:stream';
import { lazyPart } from '../core/lazy.js';
import { mimeTypes } from '../core/packages.js';
import { memo } from '../core/memo.js';
import path = require('node:path');

/** A stream of the `send` package: it emits events for what it found, then pipes the file. */
export interface SendStream extends Stream {
  pipe<T extends NodeJS.WritableStream>(res: T): T;
}

/** Properties of the stream besides its events. */
export interface Lookup extends SendStream {
  readonly req: IncomingMessage;
  res: ServerResponse;
  send(path: string, stat: fs.Stats): void;
  onStatError(error: NodeJS.ErrnoException): void;
  redirect(path: string): void;
  hasTrailingSlash(): boolean;
  error(status: number): void;
}

/** What differs between Express 4 and 5 in serving files. */
export interface Files {
  /** The stream of this Express's `send` package for a request. */
  send(req: IncomingMessage, path: string, options: object): Lookup;
  /** Loads the packages, so that a later {@link send} and {@link typeOf} do not. */
  load(): void;
  /** The Content-Type field of a file. */
  typeOf(file: string): string;
  /** Whether an error of closing a file, after its last octet, is reported. */
  readonly tellsOfClosing: boolean;
  /** Options that can select another file than the path does. */
  readonly leading: readonly string[];
}

const sendPackage = lazyPart('files', () => require('send') as Files['send']);

const typeOfExtension = memo((extension) => mimeTypes().contentType(extension) || 'application/octet-stream');

/** Express 5. */
export const files5: Files = {
  send: (req, wanted, options) => sendPackage()(req, wanted, options),
  load() {
    sendPackage();
    mimeTypes();
  },
  typeOf: (file) => typeOfExtension(path.extname(file)),
  tellsOfClosing: true,
  leading: [],
};
