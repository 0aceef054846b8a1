import { lazy } from '../../../core/lazy.js';
import { encodeUrl } from '../../../core/packages.js';
import type { Res } from '../../response/shape.js';
import { describe } from '../../response/redirect.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Sets Location; characters that a URL may not have are percent-encoded. `'back'` means the Referrer field. */
export function location(this: Res, url: string): Res {
  let target = String(url);
  if (url === 'back') {
    deprecate()(
      'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    );
    target = (this.req as { get(name: string): string | undefined }).get('Referrer') || '/';
  }
  return this.set('Location', encodeUrl()(target));
}

/** Redirects with 302, or with the status code before or after the URL; the body is text or HTML, as the request accepts. */
export function redirect(this: Res, url: string | number, second?: string | number): void {
  let target = url;
  let code = 302;
  if (arguments.length === 2) {
    if (typeof url === 'number') {
      code = url;
      target = second as string;
    } else {
      deprecate()('res.redirect(url, status): Use res.redirect(status, url) instead');
      code = second as number;
    }
  }
  const address = String(this.location(target as string).get('Location'));
  const body = describe(this, code, address, page);

  this.statusCode = code;
  this.set('Content-Length', Buffer.byteLength(body as string));
  if (this.req.method === 'HEAD') this.end();
  else this.end(body);
}

const page = (phrase: string | undefined, link: string): string => `<p>${phrase}. Redirecting to ${link}</p>`;
