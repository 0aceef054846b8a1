import type { Connection } from './connection.js';
import type { EngineRequest, EngineResponse } from '../message-types.js';
import { ignoreErrors } from './socket-listeners.js';

/** The stream is no HTTP, late or broken (node: `socketOnError`). @param answering the response whose turn it is */
export function refuse({ socket, server, engine }: Connection, error: Error, answering: EngineResponse | null): void {
  ignoreErrors(socket);
  if (server.emit('clientError', error, socket)) return;
  // RFC 9110 §15: say what was wrong, unless an answer has begun, which it would corrupt.
  if (socket.writable && !answering?._headerSent) socket.write(engine.errorAnswer(error), 'latin1');
  socket.destroy(error);
}

/** node: `socketOnTimeout`. Nobody wants to hear of it: the connection goes. */
export function tellTimeout(
  { socket, server }: Connection,
  receiving: EngineRequest | null,
  answering: EngineResponse | null,
): void {
  const heardByRequest = receiving !== null && !receiving.complete && receiving.emit('timeout', socket);
  const heardByResponse = answering !== null && answering.emit('timeout', socket as never);
  if (!server.emit('timeout', socket) && !heardByRequest && !heardByResponse) socket.destroy();
}
