import { debugging } from '../core/debug-log.js';
import type { RoutingDialect } from './dialect.js';
import type { RoutedRequest } from './shapes.js';

const SLASH = 0x2f;

/** Removes the mount path from `req.url` for a mounted handler, and restores it when the walk goes on. */
export class MountedUrl {
  private readonly req: RoutedRequest;
  private readonly parentUrl: string;
  private readonly protohost: string;
  private readonly dialect: RoutingDialect;
  private removed = '';
  private slashAdded = false;
  // The url before and after `trim`. If no handler has changed it, `restore` puts the same string back, whose path need not be parsed again.
  private whole = '';
  private trimmed: string | undefined = undefined;

  /**
   * @param parentUrl the `baseUrl` of the outer router
   * @param protohost the part of an absolute url before its path
   */
  constructor(req: RoutedRequest, parentUrl: string, protohost: string, dialect: RoutingDialect) {
    this.req = req;
    this.parentUrl = parentUrl;
    this.protohost = protohost;
    this.dialect = dialect;
  }

  /**
   * @param matched the part of the path that the layer took
   * @returns false if that is not a prefix that ends where a mount path may end (a RegExp may match anywhere)
   */
  trim(matched: string, path: string): boolean {
    if (!path.startsWith(matched)) return false;
    const end = matched.length;
    if (end < path.length && !this.dialect.endsMount(path, end)) return false;
    const { req, protohost } = this;
    const { url } = req;
    if (debugging) this.dialect.log('trim prefix (%s) from url %s', matched, url);
    let rest = protohost + url.slice(protohost.length + end);
    if (protohost === '' && rest.charCodeAt(0) !== SLASH) {
      rest = '/' + rest;
      this.slashAdded = true;
    }
    this.removed = matched;
    this.whole = url;
    // An unparsable url may spell its path differently: restoring what matched would give another string.
    this.trimmed = protohost === '' && !this.slashAdded && url.startsWith(matched) ? rest : undefined;
    req.url = rest;
    req.baseUrl = this.parentUrl + (matched.endsWith('/') ? matched.slice(0, -1) : matched);
    return true;
  }

  /** Undoes {@link trim}, and keeps the handler's changes to the rest of the url. */
  restore(): void {
    const { removed, req } = this;
    if (removed === '') return;
    // The handler may have set the url to undefined, which fails as in Express.
    if (this.trimmed !== undefined && req.url === this.trimmed) {
      req.url = this.whole;
    } else {
      req.url = this.protohost + removed + this.rest().slice(this.protohost.length);
    }
    req.baseUrl = this.parentUrl;
    this.removed = '';
    this.slashAdded = false;
  }

  private rest(): string {
    const { url } = this.req;
    return this.slashAdded ? this.dialect.withoutAddedSlash(url, this.removed) : url;
  }
}
