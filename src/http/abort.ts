import { abortedError } from '../core/errors.js';
import type { EngineRequest, EngineResponse } from './messages.js';
import { Life, kLife } from './symbols.js';

/** The peer went away before the response was out (node: `abortIncoming`). */
export function abortRequest(req: EngineRequest): void {
  // Touches the stream, so a lean request becomes node's, whose `destroy` tells `'aborted'`, `'error'` and `'close'`.
  req.destroy(abortedError());
}

/** The last event of a response, whether its answer went out or its connection is gone. */
export function closeResponse(res: EngineResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  if (res[kLife] === Life.Ended) res[kLife] = Life.Finished;
  res.emit('close');
}
