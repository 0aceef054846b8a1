import type { Mime } from '../../types/v4/application.js';

let loaded: Mime | undefined;

/** The media types of Express 4: those of `mime` 1, to which an application may add. The same copy of the package that the `send` package uses. */
export function mime(): Mime {
  return (loaded ??= require('mime') as Mime);
}

/** The most common types; they do not load the table. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['bin', 'application/octet-stream'],
]);

/** The media type of an extension or path, without parameters; `application/octet-stream` if unknown. */
export function mimeOf(pathOrExtension: string): string {
  // A loaded table may have been changed by the application.
  const common = loaded === undefined ? COMMON.get(pathOrExtension) : undefined;
  return common ?? mime().lookup(pathOrExtension);
}
