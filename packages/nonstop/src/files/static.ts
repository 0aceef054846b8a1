import fs = require('node:fs');
import path = require('node:path');
import url = require('node:url');
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Lookup, files5, type Files } from './dialect.js';
import { lazy, loadAhead } from '../core/lazy.js';
import { encodeUrl, escapeHtml } from '../core/packages.js';
import type { NodeMiddleware, ServeStaticOptions } from '../types/middleware.js';
import { keptSoFar } from './content-cache.js';
import { answerPlain, isLed, isMissing, isPlainAnswer, isSpecial, plainFile, statShared } from './plain-file.js';
import { answerWithoutStream } from './small-file.js';

type Next = (error?: unknown) => void;

const parseUrl = lazy(() => require('parseurl') as typeof import('parseurl'));

/** The options with their older names; the `send` package has more, which are passed on. */
interface StaticOptions extends ServeStaticOptions<ServerResponse> {
  maxage?: number | string | undefined;
  root?: string | undefined;
  [option: string]: unknown;
}

/**
 * Serves the files of a folder for GET and HEAD.
 *
 * @throws TypeError for a root that is missing or not a string, or a `setHeaders` that is not a function. Wrong
 *   values of other options throw when a request is served
 */
export function serveStatic<Res extends ServerResponse>(
  root: string,
  options?: ServeStaticOptions<Res> | null,
): NodeMiddleware<Res> {
  return serveFiles(files5, root, options);
}

/** The same for one Express dialect; it throws what {@link serveStatic} throws. */
export function serveFiles<Res extends ServerResponse>(
  files: Files,
  root: string,
  options?: ServeStaticOptions<Res> | null,
): NodeMiddleware<Res> {
  const settings = settingsOf(root, options);
  const given = Boolean(options);
  const led = given && isLed(files, settings);
  const fallthrough = settings.fallthrough !== false;
  const { setHeaders } = settings;
  settings.maxage = settings.maxage || settings.maxAge || 0;
  settings.root = path.resolve(root);
  loadAhead('files', 'media types');
  const onDirectory = settings.redirect !== false ? redirectToDirectory : notFound;

  /** The stream of `send` for a request that is not plain. */
  function sending(req: IncomingMessage, wanted: string, next: Next): Lookup {
    // After a file is found, its errors are reported, even with `fallthrough`.
    let found = false;
    const stream = files.send(req, wanted, settings);
    stream.on('directory', onDirectory);
    if (setHeaders) stream.on('headers', setHeaders);
    stream.on('file', () => (found = true));
    stream.on('error', (error: { statusCode?: number }) => {
      if (fallthrough && !found && (error.statusCode as number) < 500) next();
      else next(error);
    });
    answerWithoutStream(stream, files.tellsOfClosing);
    return stream;
  }

  return function serveStatic(req, res, next) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return fallthrough ? next() : refuseMethod(res);
    const wanted = requestedPath(req);
    const file = led ? undefined : plainFile(wanted, settings, given);
    if (file === undefined) {
      sending(req, wanted, next).pipe(res);
      return;
    }
    const failure = failureOf(files);
    const before = keptSoFar();
    // Agents show the name, which is that in `send`.
    const onstat = (error: NodeJS.ErrnoException | null, stat: fs.Stats | undefined): void => {
      if (error !== null && fallthrough && isMissing(error)) return next();
      const isPlain = error === null && stat !== undefined && !stat.isDirectory();
      const found = { req, res, file, stat: stat as fs.Stats, before };
      const isAnswered = isPlain && isPlainAnswer(found) && !(given && isSpecial(settings));
      if (failure !== undefined && !isAnswered) return next(failure);
      const bySend = (): Lookup => {
        const stream = sending(req, wanted, next);
        stream.res = res;
        if (isPlain) stream.emit('file', file, stat);
        return stream;
      };
      if (isAnswered) answerPlain(files, found, settings, { failed: (fault) => bySend().onStatError(fault) });
      else if (isPlain) bySend().send(file, stat);
      else if (error !== null) bySend().onStatError(error);
      else if (stat !== undefined) bySend().redirect(file);
      else sending(req, wanted, next).pipe(res);
    };
    // `setHeaders` gets the stat and may change it.
    if (setHeaders) fs.stat(file, onstat);
    else statShared(file, 0, onstat);
  };
}

/** Loads the packages before a callback, in which their error would be uncaught. @returns the error, which matters only if they are needed */
function failureOf(files: Files): Error | undefined {
  try {
    files.load();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The settings, which inherit from the options: a program may add to these later. @throws TypeError as {@link serveStatic} */
function settingsOf(root: unknown, options: object | null | undefined): StaticOptions {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  const settings = Object.create(options || null) as StaticOptions;
  const { setHeaders } = settings;
  if (setHeaders && typeof setHeaders !== 'function') throw new TypeError('option setHeaders must be function');
  return settings;
}

function refuseMethod(res: ServerResponse): void {
  res.statusCode = 405;
  res.setHeader('Allow', 'GET, HEAD');
  res.setHeader('Content-Length', '0');
  res.end();
}

/** The path below the mount path; empty for the mount path without a final slash, so that it is redirected. */
function requestedPath(req: IncomingMessage): string {
  const { pathname } = parseUrl()(req) as { pathname: string };
  if (pathname !== '/') return pathname;
  const original = parseUrl().original(req) as { pathname: string };
  return original.pathname.endsWith('/') ? pathname : '';
}

function notFound(this: Lookup): void {
  this.error(404);
}

function redirectToDirectory(this: Lookup, res: ServerResponse): void {
  if (this.hasTrailingSlash()) {
    this.error(404);
    return;
  }
  const original = parseUrl().original(this.req) as url.UrlObject & { path: string | null };
  original.path = null;
  // Only one slash at the start: `//host/path` would redirect to another host.
  original.pathname = `${original.pathname}/`.replace(/^\/{2,}/, '/');
  const location = encodeUrl()(url.format(original));
  const page = redirectPage(escapeHtml()(location));

  res.statusCode = 301;
  res.setHeader('Content-Type', 'text/html; charset=UTF-8');
  res.setHeader('Content-Length', Buffer.byteLength(page));
  res.setHeader('Content-Security-Policy', "default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Location', location);
  res.end(page);
}

function redirectPage(location: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Redirecting</title>
</head>
<body>
<pre>Redirecting to ${location}</pre>
</body>
</html>
`;
}
