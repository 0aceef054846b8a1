import type { Res } from './shape.js';
import { lazy } from '../../core/lazy.js';
import { encodeUrl, escapeHtml } from '../../core/packages.js';
import { reason } from './status.js';

// Called in this file, not in a helper: depd leaves out the file that created it when it prints a warning's place.
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Sets Location; characters that a URL may not have are percent-encoded. */
export function location(this: Res, url: string): Res {
  return this.set('Location', encodeUrl()(url));
}

/** Redirects with 302, or with the status code before the URL; the body is text or HTML, as the request accepts. */
export function redirect(this: Res, url: string): void;
export function redirect(this: Res, status: number, url: string): void;
export function redirect(this: Res, first: string | number, ...rest: string[]): void {
  const withStatus = rest.length === 1;
  const status = (withStatus ? first : 302) as number;
  const target = (withStatus ? rest[0] : first) as string;

  if (!target) deprecate()('Provide a url argument');
  if (typeof target !== 'string') deprecate()('Url must be a string');
  if (typeof status !== 'number') deprecate()('Status must be a number');

  const address = String(this.location(target).get('Location'));
  const body = describe(this, status, address, page);

  this.status(status);
  this.set('Content-Length', Buffer.byteLength(body as string));
  if (this.req.method === 'HEAD') this.end();
  else this.end(body);
}

const page = (phrase: string | undefined, link: string): string =>
  `<!DOCTYPE html><head><title>${phrase}</title></head><body><p>${phrase}. Redirecting to ${link}</p></body>`;

/**
 * The body of a redirection: text or HTML, as the request accepts. A status that cannot be the name of a property throws where Express asks for its
 * phrase: behind `Vary` and the type.
 *
 * @param pageOf makes the HTML of the status' phrase and the address, which is escaped
 */
export function describe(res: Res, status: number, address: string, pageOf: typeof page): string | undefined {
  // Stays undefined if a `format` of the program calls none of them; measuring it then throws, as in Express.
  let body: string | undefined;
  res.format({
    text() {
      body = `${reason(status)}. Redirecting to ${address}`;
    },
    html() {
      body = pageOf(reason(status), escapeHtml()(address));
    },
    default() {
      body = '';
    },
  });
  return body;
}
