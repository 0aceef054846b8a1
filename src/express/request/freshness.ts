import { lazy } from '../../core/lazy.js';
import { kUnconditional, type MaybeConditional } from '../../core/unconditional.js';
import type { Request } from './shape.js';

type Fresh = (requestFields: object, responseFields: object) => boolean;

const isFresh = lazy(() => require('fresh') as Fresh);

/** Whether the client's copy of the representation will do (RFC 9110 §13.1). */
export const freshness = {
  get fresh(): boolean {
    const req = this as unknown as Request & MaybeConditional;
    if (req[kUnconditional] === true) return false;
    const { method, headers, res } = req;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
    if (!headers['if-none-match'] && !headers['if-modified-since']) return false;
    const status = res.statusCode;
    if ((status < 200 || status >= 300) && status !== 304) return false;
    return isFresh()(headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
  },

  get stale(): boolean {
    return !this.fresh;
  },
};
