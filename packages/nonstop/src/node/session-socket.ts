import type { Socket } from 'node:net';
import { symbolOf } from './symbols.js';

let kSocket: symbol | undefined;

/**
 * The socket of a session of `node:http2`, which itself shows a view of it that stops working when the session ends.
 *
 * @returns undefined where the session has let go of its socket
 */
export function socketOfSession(session: object): Socket | undefined {
  kSocket ??= symbolOf(session, 'socket');
  return kSocket === undefined ? undefined : (session as Record<symbol, Socket | undefined>)[kSocket];
}
