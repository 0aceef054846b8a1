import fs = require('node:fs');
import path = require('node:path');
import type { IncomingMessage, ServerResponse } from 'node:http';
import { wallClockNow } from '../core/clock.js';
import { debugging } from '../core/debug-log.js';
import { lazy } from '../core/lazy.js';
import { memo } from '../core/memo.js';
import { type Validators, keepFile, keptFile, validatorsOf } from './content-cache.js';
import type { Files } from './dialect.js';
import { sendInParts } from './file-in-parts.js';
import { shareReads } from './shared-read.js';
import { contentFor, isPipedPlainly } from './plain-pipe.js';
import { SMALL, endWith, maySendInParts, readSmall, type Read } from './small-file.js';

const duration = lazy(() => require('ms') as (text: string) => number | undefined);

/** Options that are handled here, for the values that {@link isPlainLookup} allows. */
const KNOWN = new Set([
  'root',
  'headers',
  'maxage',
  'maxAge',
  'immutable',
  'cacheControl',
  'acceptRanges',
  'lastModified',
  'etag',
  'fallthrough',
  'redirect',
  'index',
  'dotfiles',
  'extensions',
]);

const DOTFILES: readonly unknown[] = [undefined, 'ignore', 'allow', 'deny'];

/** Texts that the `ms` package accepts: `1d`, `2 days`. */
const AGE = /^\d{1,15}(?:\.\d{1,9})? ?[a-z]{0,12}$/i;

const YEAR = 31_536_000_000;

/**
 * A path whose segments are plain names: nothing to decode or normalise, no dotfile, no `..`, and no character that is
 * special on a file system other than POSIX's.
 */
const PLAIN_PATH = /^(?:\/[\w~!$&'()*+,;=@-][\w.~!$&'()*+,;=@-]*)*\/?$/;

export interface Options {
  readonly root?: string | undefined;
  readonly [option: string]: unknown;
}

/**
 * The options that `send` reads when its stream is made, by their values now: a program may change its object, which may inherit them, before the file is
 * found.
 */
export function optionsNow(options: Options): Options {
  const { root, index, dotfiles, extensions, maxage, maxAge, immutable } = options;
  const { cacheControl, acceptRanges, lastModified, etag } = options;
  return {
    root,
    index,
    dotfiles,
    extensions,
    maxage,
    maxAge,
    immutable,
    cacheControl,
    acceptRanges,
    lastModified,
    etag,
  };
}

/** @returns the options with the values that they had; the same object if they still have them: one that inherits costs V8 20 µs */
export function withValues(options: Options, now: Options): object {
  const names = Object.keys(now) as (keyof Options)[];
  if (names.every((name) => options[name] === now[name])) return options;
  return Object.assign(Object.create(options), now) as object;
}

/** Whether the path alone decides the file under these options, and `send` refuses none of them. */
function isPlainLookup({ dotfiles, extensions, index, maxAge, maxage }: Options): boolean {
  return (
    DOTFILES.includes(dotfiles) &&
    !extensions &&
    (!index || typeof index === 'string') &&
    isPlainAge(maxAge) &&
    isPlainAge(maxage)
  );
}

function isPlainAge(age: unknown): boolean {
  return age === undefined || typeof age === 'number' || (typeof age === 'string' && AGE.test(age));
}

/**
 * The file of a plain path.
 *
 * @param options of `express.static`; its own default object if the user gave none
 * @param given whether the user gave options
 * @returns undefined if the `send` package has to look
 */
export function plainFile(pathname: string, options: Options, given: boolean): string | undefined {
  if (debugging || path.sep !== '/' || pathname === '' || !PLAIN_PATH.test(pathname)) return undefined;
  if (given && !isPlainLookup(options)) return undefined;
  const { root } = options;
  const file = !root || root === '/' ? pathname : root + pathname;
  if (!file.endsWith('/')) return file;
  return options.index === undefined ? file + 'index.html' : undefined;
}

/** Whether one of the options can select another file than the path does. */
export function isLed({ leading }: Files, options: Options): boolean {
  return leading.some((name) => options[name] !== undefined);
}

/** The file of a plain path of `res.sendFile()`, below `root` if given; undefined if `send` has to look. @param options not inherited */
export function plainTarget(file: string, options: Options): string | undefined {
  const { root } = options;
  if (root && typeof root !== 'string') return undefined;
  const pathname = root && !file.startsWith('/') ? `/${file}` : file;
  if (pathname.endsWith('/')) return undefined;
  return plainFile(pathname, root ? { ...options, root: path.resolve(root) } : options, true);
}

/** Errors that the `send` package answers with 404. */
export function isMissing({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}

export const statShared = shareReads<fs.Stats>((file, _, done) => fs.stat(file, done));

export interface Found {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly file: string;
  readonly stat: fs.Stats;
  /** How many files were kept when this stat began. */
  readonly before: number;
}

/** Whether the response is a whole file with its default fields, if no option {@link isSpecial}. */
export function isPlainAnswer({ req, res, stat }: Found): boolean {
  if (!stat.isFile() || res.headersSent || !isPipedPlainly(res)) return false;
  if (stat.size > SMALL && !maySendInParts(res)) return false;
  const { headers } = req;
  return (
    headers.range === undefined &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    headers['if-match'] === undefined &&
    headers['if-unmodified-since'] === undefined
  );
}

/** Whether there is an option that only `send` knows. */
export function isSpecial(options: Options): boolean {
  for (const name in options) if (!KNOWN.has(name)) return true;
  return false;
}

interface Told {
  failed(error: NodeJS.ErrnoException): void;
  readonly broken?: (() => void) | undefined;
  readonly ended?: (() => void) | undefined;
}

/**
 * Responds with a file as the `send` package does by default. The tests of `express.static` compare both.
 *
 * @param told `failed` is called when the file exists but cannot be read, `broken` before an error of the head destroys the response, `ended` when all
 * content was passed on
 */
export function answerPlain(files: Files, found: Found, options: Options, { failed, broken, ended }: Told): void {
  const { req, res, file, stat } = found;
  const { size } = stat;
  const kept = keptFile(file, stat, found.before);
  setFields(found, options, kept);
  const type = res.getHeader('Content-Type') ? undefined : files.typeOf(file);
  // A program may have taken the type of unknown files from the table of `mime` 1.
  if (type) res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', size);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  const failing = (error: NodeJS.ErrnoException): void => {
    if (files.tellsOfClosing || !res.writableEnded) failed(error);
  };
  if (size > SMALL) {
    sendInParts(res, file, { start: 0, end: size - 1 }, { failed: failing, broken, ended });
    return;
  }
  const pass = (content: Buffer): void => {
    if (res.destroyed || res.writableEnded) return;
    if (endWith(res, contentFor(res, content), broken) && !res.destroyed) ended?.();
  };
  if (kept !== undefined) {
    pass(kept.content);
    return;
  }
  const readAt = wallClockNow();
  const done = (error: NodeJS.ErrnoException | null, result?: ReadOctets): void => {
    if (error !== null) {
      failing(error);
      return;
    }
    const { content, isGenuine } = result!;
    if (isGenuine) keepFile(file, stat, content, readAt);
    pass(content);
  };
  readShared(file, size, done);
}

interface ReadOctets {
  readonly content: Buffer;
  readonly isGenuine: boolean;
}

const readShared = shareReads<ReadOctets>((file, size, done) => {
  const read: Read = (error, content, isGenuine) =>
    error === null ? done(null, { content: content!, isGenuine: isGenuine === true }) : done(error);
  // `send` reads one octet of an empty file, too.
  readSmall(file, { start: 0, length: size || 1, whole: size !== 0 }, read);
});

/** Fields that an earlier handler has set stay. */
function setFields({ res, stat }: Found, options: Options, kept: Validators | undefined): void {
  const { acceptRanges, cacheControl, lastModified, etag } = options;
  if (isOn(acceptRanges) && !res.getHeader('Accept-Ranges')) res.setHeader('Accept-Ranges', 'bytes');
  if (isOn(cacheControl) && !res.getHeader('Cache-Control')) res.setHeader('Cache-Control', caching(options));
  const validators = kept ?? validatorsOf(stat);
  if (isOn(lastModified) && !res.getHeader('Last-Modified')) res.setHeader('Last-Modified', validators.lastModified);
  if (isOn(etag) && !res.getHeader('ETag')) res.setHeader('ETag', validators.etag);
}

function isOn(option: unknown): boolean {
  return option === undefined || Boolean(option);
}

function caching({ maxAge, maxage, immutable }: Options): string {
  const age = maxAge || maxage;
  const given = typeof age === 'string' ? milliseconds(age) : Number(age);
  const seconds = Number.isNaN(given) ? 0 : Math.floor(Math.min(Math.max(0, given), YEAR) / 1000);
  return `public, max-age=${seconds}${immutable ? ', immutable' : ''}`;
}

const milliseconds = memo((age) => Number(duration()(age)));
