import { inspect } from 'node:util';
import { callerOf } from '../../core/caller.js';
import { onFirstUse } from '../../core/lazy.js';

/** A group of a RegExp that path-to-regexp 0.1 made: a param by name, or by number. */
interface Key {
  readonly name: string | number;
}

type PathToRegexp0 = (path: string, keys: Key[], options: object) => RegExp;

const pathToRegexp0 = onFirstUse(() => require('path-to-regexp-v0') as PathToRegexp0);
const pathToRegexp8 = onFirstUse(() => require('path-to-regexp') as typeof import('path-to-regexp'));

export interface AdviceOptions {
  /** Whether the whole path must match; otherwise its start is enough. */
  readonly end?: boolean | undefined;
}

/** Pieces of an Express 4 path. A path with any other piece is rewritten as a RegExp. */
const PIECES: readonly (readonly [piece: RegExp, written: (found: RegExpExecArray, splat: () => string) => string])[] =
  [
    [/(\/?\.?):(\w+)(?:\((?:\.?\*|\[\^\/\]\+\??)\))?(\*?)(\??)/y, writtenParam],
    [/\*(?![?+])/y, (_found, splat) => `{*${splat()}}`],
    [/\(([\w.~%@&=,;'/-]+)\)\?/y, ([, text]) => `{${text}}`],
    [/([\w.~%@&=,;'/-])\?/y, ([, text]) => `{${text}}`],
    [/!/y, () => '\\!'],
    [/[\w.~%@&=,;'/ -](?![?+*])|[\w.~%@&=,;'/ -](?=\*)/y, ([text]) => text],
  ];

function writtenParam(found: RegExpExecArray): string {
  const [whole, before, name, star, optional] = found;
  const quoted = /^\d/.test(name) ? `"${name}"` : name;
  const isRest = star !== '' || whole.includes('(.*)');
  // Only `:rest(*)` may be empty: a `*` in brackets is `.*` already.
  const param = whole.includes('(*)') ? `${before}{*${quoted}}` : `${before}${isRest ? '*' : ':'}${quoted}`;
  return optional === '' ? param : `{${param}}`;
}

/**
 * The source text that replaces an Express 4 path in Express 5: a path, or a RegExp if no path means the same.
 *
 * @param path a path that Express 5 refuses, or reads differently
 */
export function forExpress5(path: string, options: AdviceOptions): string {
  const text = asText(path);
  return text === undefined ? asRegExp(path, options) : inspect(text);
}

function asText(path: string): string | undefined {
  let written = '';
  let splats = 0;
  const splat = (): string => (splats++ === 0 ? 'splat' : `splat${splats}`);
  for (let at = 0; at < path.length;) {
    const piece = PIECES.map(([pattern, write]) => ({ found: matchAt(pattern, path, at), write })).find(
      ({ found }) => found !== null,
    );
    if (piece === undefined) return undefined;
    const found = piece.found as RegExpExecArray;
    written += piece.write(found, splat);
    at += found[0].length;
  }
  return isRefused(written) ? undefined : written;
}

function matchAt(pattern: RegExp, path: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(path);
}

/** Whether Express 5 reads an Express 4 path differently. */
export function isReadOtherwise(path: string): boolean {
  return /[*{}|^$\\]|:\w*[\x80-\uffff]/.test(path) && !isRefused(path);
}

/** Whether Express 5 throws for this path. */
export function isRefused(path: string): boolean {
  try {
    pathToRegexp8().pathToRegexp(path);
    return false;
  } catch {
    return true;
  }
}

/** The RegExp that Express 4 makes, with params as named groups, which Express 5 reads. */
function asRegExp(path: string, { end }: AdviceOptions): string {
  const keys: Key[] = [];
  try {
    const { source, flags } = pathToRegexp0()(path, keys, { end });
    let next = 0;
    const named = source.replace(/\\.|\((?!\?)/g, (text) => (text === '(' ? group(keys[next++]) : text));
    return String(new RegExp(named, flags));
  } catch {
    return 'a RegExp';
  }
}

function group(key: Key | undefined): string {
  return typeof key?.name === 'string' && /^[a-z_]/i.test(key.name) ? `(?<${key.name}>` : '(';
}

/** What to write instead. A URL, which no request has as its path, often comes from an environment variable: then its path is meant. */
function advice(path: string, options: AdviceOptions): string {
  const [origin] = /^[a-z][\w+.-]*:\/\/[^/]*/i.exec(path) ?? [''];
  if (origin === '') return `For Express 5 write ${forExpress5(path, options)}`;
  const pathname = path.slice(origin.length) || '/';
  return `This is a URL, and a path begins behind its host: write ${isRefused(pathname) ? forExpress5(pathname, options) : inspect(pathname)}`;
}

/**
 * Adds to an error of path-to-regexp where the path was given and what to write instead; the original text stays first.
 *
 * @returns the error
 */
export function withAdvice(error: unknown, path: unknown, options: AdviceOptions): unknown {
  if (!(error instanceof TypeError) || typeof path !== 'string') return error;
  const caller = callerOf(withAdvice);
  const lines = [advice(path, options)];
  if (caller !== undefined) lines.unshift(`The path is given at ${caller.place}`);
  const { message, stack } = error;
  error.message = [message, ...lines].join('\n  ');
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}
