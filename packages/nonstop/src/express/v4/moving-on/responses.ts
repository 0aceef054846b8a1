import { inspect } from 'node:util';
import { files4 } from '../../../files/v4/dialect.js';
import { lookup as lookup5 } from '../../response/media-type.js';
import { response } from '../response/index.js';
import { around, alike, here, tell, type Method } from './tell.js';
import path = require('node:path');

/** Watches responses. Uses that Express 4 itself reports as deprecated are left out. */
export function watchResponses(): void {
  for (const name of ['status', 'sendStatus']) before(name, (code) => tellOfStatus(`res.${name}`, code));
  before('redirect', (code, url) => {
    if (typeof code === 'number' && url !== undefined) tellOfStatus('res.redirect', code);
  });
  for (const name of ['type', 'contentType']) before(name, tellOfType);
  before('sendFile', (file, options) => {
    const isSaid = (options as { dotfiles?: unknown } | null | undefined)?.dotfiles !== undefined;
    if (!isSaid && typeof file === 'string' && hasDotFolder(file)) {
      tell(
        here(),
        "res.sendFile answers 404 for a path with a folder that begins with a dot in Express 5, without dotfiles: 'allow'",
      );
    }
  });
}

function before(name: string, look: (...args: unknown[]) => void): void {
  around(
    response,
    name,
    (own) =>
      function (this: unknown, ...args: unknown[]) {
        look(...args);
        return own.apply(this, args) as unknown;
      },
  );
}

function tellOfStatus(method: string, code: unknown): void {
  if (Number.isInteger(code) && (code as number) >= 100 && (code as number) <= 999) return;
  tell(here(), `${method}() throws in Express 5 for ${inspect(code)}: a status is a whole number from 100 to 999`);
}

function tellOfType(type: unknown): void {
  if (typeof type !== 'string' || type.includes('/')) return;
  const [now, then] = [typeIn4(type), lookup5(type)];
  if (now !== then) tell(here(), `res.type(${inspect(type)}) is ${now}, in Express 5 ${then}`);
}

const typeIn4 = (file: string): string => files4.typeOf(file).split(';')[0];

function hasDotFolder(file: string): boolean {
  return file
    .split(/[\\/]/)
    .slice(0, -1)
    .some((part) => part.length > 1 && part.startsWith('.') && part !== '..');
}

interface Served {
  readonly statusCode: number;
  once(event: 'finish', listener: () => void): void;
}

/** Watches `express.static`. */
export function watchStatic(express: object): void {
  around(express, 'static', (own) => (root: string, options?: { readonly dotfiles?: unknown } | null) => {
    const place = here();
    const serve = own(root, options) as Method;
    return alike(function (req: { url: string }, res: Served, next: (error?: unknown) => void) {
      const file = nameOf(req.url);
      let isPassed = false;
      res.once('finish', () => {
        if (!isPassed && res.statusCode < 400 && file !== undefined)
          tellOfFile(place, file, options?.dotfiles !== undefined);
      });
      serve(req, res, (error?: unknown) => {
        isPassed = true;
        next(error);
      });
    }, serve);
  });
}

function nameOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0]);
  } catch {
    return undefined;
  }
}

function tellOfFile(place: string | undefined, file: string, saysDotfiles: boolean): void {
  if (!saysDotfiles && hasDotFolder(file)) {
    tell(place, "express.static does not serve folders that begin with a dot in Express 5, without dotfiles: 'allow'");
  }
  const extension = path.extname(file);
  if (extension === '') return;
  const [now, then] = [typeIn4(file), lookup5(extension)];
  if (now !== then) tell(place, `express.static sends ${extension} as ${now}, in Express 5 as ${then}`);
}
