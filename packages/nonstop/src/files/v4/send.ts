import fs = require('node:fs');
import path = require('node:path');
import type { IncomingMessage, ServerResponse } from 'node:http';
import { debugLog } from '../../core/debug-log.js';
import { define } from '../../core/define-own.js';
import { lazy, lazyPart } from '../../core/lazy.js';
import { onFinished } from '../../core/packages.js';
import type { Lookup } from '../dialect.js';
import { meetsAll, lenientRange } from './conditional.js';
import { mime } from './mime.js';

/** Internal properties and methods of a `send` 1 stream that work differently in `send` 0.19. */
interface Sending extends Lookup {
  req: IncomingMessage;
  /** Not decoded yet; the lookup decodes it. */
  readonly path: string;
  _dotfiles: unknown;
  _root: string | null;
  type(path: string): void;
  isFresh(): boolean;
}

interface SendOptions {
  readonly dotfiles?: unknown;
  readonly hidden?: unknown;
  readonly from?: unknown;
}

const log = debugLog('send');
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('send'));
const send = lazyPart(
  'files',
  () => require('send') as (req: IncomingMessage, wanted: string, options: object) => Sending,
);

export const loadSend: () => void = send;

const nothing = (): void => undefined;

/** A `send` 1.2 stream that behaves as that of 0.19, which Express 4 uses. */
export function send4(req: IncomingMessage, wanted: string, options: SendOptions): Lookup {
  const stream = send()(req, wanted, options);
  lookOtherwise(stream, options);
  stream.type = setType;
  stream.isFresh = isFresh;
  const { range } = req.headers;
  // `send` ignores other ranges. A program may have set a value that is not a string.
  const lenient = range !== undefined && /^ *bytes=/.test(range) ? lenientRange(range, 0) : range;
  if (lenient !== range)
    stream.req = Object.create(req, { headers: { value: { ...req.headers, range: lenient } } }) as IncomingMessage;
  // Without `file`, the file was sent at once.
  stream.on('stream', (file?: fs.ReadStream) => {
    if (file !== undefined) onFinished()(stream.res, () => file.removeAllListeners('error').on('error', nothing));
  });
  return stream;
}

/** Without the option `dotfiles`, only the last part of a path may not start with a dot; `hidden` allows it. */
function lookOtherwise(stream: Sending, { dotfiles, hidden, from }: SendOptions): void {
  if (hidden !== undefined) {
    deprecate()(`hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  }
  if (dotfiles === undefined) {
    const get = (): string => (isDotfile(stream.path) && !hidden ? 'ignore' : 'allow');
    define(stream, '_dotfiles', { get });
  }
  if (!stream._root && from) {
    deprecate()('send.from: pass root as option');
    stream._root = path.resolve(String(from));
  }
}

function isDotfile(encoded: string): boolean {
  const parts = path.normalize(`.${path.sep}${decodeURIComponent(encoded)}`).split(path.sep);
  return parts[parts.length - 1].startsWith('.');
}

function setType(this: Sending, file: string): void {
  const res: ServerResponse = this.res;
  if (res.getHeader('Content-Type')) return;
  const type = mime().lookup(file);
  if (!type) return log('no content-type');
  log('content-type %s', type);
  const charset = mime().charsets.lookup(type);
  res.setHeader('Content-Type', charset ? `${type}; charset=${charset}` : type);
}

function isFresh(this: Sending): boolean {
  const { req, res } = this;
  return meetsAll(req.headers, { etag: res.getHeader('ETag'), 'last-modified': res.getHeader('Last-Modified') });
}
