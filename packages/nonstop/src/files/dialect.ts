import type { IncomingMessage } from 'node:http';
import { lazy } from '../core/lazy.js';
import { memo } from '../core/memo.js';
import path = require('node:path');
import type { Lookup } from './send-file.js';

/** How one Express serves files. */
export interface Files {
  /** The stream of its `send` package for a request. */
  send(req: IncomingMessage, path: string, options: object): Lookup;
  /** The Content-Type field of a file. */
  typeOf(file: string): string;
  /** Whether an error of closing a file is told, behind its last octet. */
  readonly tellsOfClosing: boolean;
  /** Options that say otherwise than the path which file is meant. */
  readonly leading: readonly string[];
}

const sendPackage = lazy(() => require('send') as unknown as Files['send']);
const mimeTypes = lazy(() => require('mime-types') as typeof import('mime-types'));

const typeOfExtension = memo((extension) => mimeTypes().contentType(extension) || 'application/octet-stream');

/** Express 5. */
export const files5: Files = {
  send: (req, wanted, options) => sendPackage()(req, wanted, options),
  typeOf: (file) => typeOfExtension(path.extname(file)),
  tellsOfClosing: true,
  leading: [],
};
