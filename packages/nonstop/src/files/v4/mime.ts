/** What Express 4 knows of media types: `mime` 1, whose tables an application may add to. */
export interface Mime {
  lookup(pathOrExtension: string): string;
  readonly charsets: { lookup(type: string): string | undefined };
  define(types: Record<string, string[]>): void;
}

let loaded: Mime | undefined;

/** The package, the very one that the `send` package has. */
export function mime(): Mime {
  return (loaded ??= require('mime') as Mime);
}

/** What most answers are: they do not load the table. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['bin', 'application/octet-stream'],
]);

/** The media type of an extension or of a path, without parameters; `application/octet-stream` for one that nobody knows. */
export function mimeOf(pathOrExtension: string): string {
  // Once the table is loaded an application may have changed it.
  const common = loaded === undefined ? COMMON.get(pathOrExtension) : undefined;
  return common ?? mime().lookup(pathOrExtension);
}
