import { kAbortController } from '../node/message-state.js';
import type { Http2Request } from './messages.js';
import { requestOf } from './owner.js';
import { Delivery, kAborter, kDelivery, kResponse } from './symbols.js';

/** Whether requests of this Node have `signal`. */
export const HAVE_SIGNALS = kAbortController !== undefined;

/**
 * `req.signal`, as over HTTP/1: aborted if the request is destroyed before its end, or if its stream closes before the answer was sent. node's own
 * listens to the connection's socket.
 */
export function readSignal(this: Http2Request): AbortSignal {
  const req = requestOf(this)!;
  if (req[kAborter] === undefined) {
    req[kAborter] = new AbortController();
    const { [kResponse]: res } = req;
    if (req.aborted || (res._closed && res[kDelivery] !== Delivery.Done)) abortSignal(req);
  }
  return req[kAborter].signal;
}

/** The request was aborted, or will not be answered. */
export function abortSignal(req: Http2Request): void {
  req[kAborter]?.abort();
}
