import { abortedError } from '../core/errors.js';
import { WAITING_RESPONSES_ARE_DESTROYED } from '../core/node-differences.js';
import type { EngineRequest, EngineResponse } from './messages.js';
import type { HttpSocket } from './socket-listeners.js';
import { Life, kLife } from './symbols.js';

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
  // A response that became node's hears of it by its own listener.
  if (current !== null && current[kLife] !== Life.Node) closeResponse(current);
}

/** node leaves a response its socket when that closes under it; `destroyed` on both says the rest. */
export function keepSocket(res: EngineResponse, socket: HttpSocket): void {
  (res as { socket: HttpSocket | null }).socket = socket;
  socket._httpMessage = res;
}

/** The last event of a response, whether its answer went out or its connection is gone. */
export function closeResponse(res: EngineResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  if (res[kLife] === Life.Ended) res[kLife] = Life.Finished;
  res.emit('close');
}
