import { abortedError } from '../../core/errors.js';
import { WAITING_RESPONSES_ARE_DESTROYED } from '../../node/differences.js';
import type { EngineRequest, EngineResponse } from '../message-types.js';
import { noteAllTold } from '../request/body.js';

/** The peer went away before the response was out (node: `abortIncoming`). */
function abortRequest(req: EngineRequest): void {
  // Touches the stream, so a lean request becomes node's, whose `destroy` tells `'aborted'`, `'error'` and `'close'`.
  req.destroy(abortedError());
}

/** The connection is gone: what becomes of the exchange whose turn it was and of those that wait behind it. */
export function abort(current: EngineResponse | null, waiting: readonly EngineResponse[]): void {
  if (current !== null) abortRequest(current.req);
  for (const { req } of waiting) abortRequest(req);
  if (WAITING_RESPONSES_ARE_DESTROYED) for (const late of waiting) late.destroy(abortedError());
  if (current !== null) closeResponse(current);
}

/** The last event of a response, whether its answer went out or its connection is gone (node: `emitCloseNT`). */
export function closeResponse(res: EngineResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  noteAllTold(res.req, false);
  res.emit('close');
  noteAllTold(res.req, true);
}
