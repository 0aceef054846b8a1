import http = require('node:http');
import { kRequest, type EngineRequest, type EngineResponse, type NodeServer } from '../message.js';
import { closeResponse } from '../response/finish.js';
import type { Reading } from './reading.js';
import { ignoreErrors, type HttpSocket } from './socket-listeners.js';
import { abortedError } from '../../core/errors.js';
import { WAITING_RESPONSES_ARE_DESTROYED } from '../../node/differences.js';

/** The connection with the fault. */
interface Faulty {
  readonly reading: Reading;
  readonly socket: HttpSocket;
  readonly server: NodeServer;
}

/** The stream is not HTTP, late or broken (node: `socketOnError`). @param answering the response that has the socket */
export function refuse({ socket, server }: Faulty, error: Error, answering?: EngineResponse | null): void {
  ignoreErrors(socket);
  if (server.emit('clientError', error, socket)) return;
  // RFC 9110 §15: send an error response, unless another response has begun, which it would corrupt.
  if (socket.writable && !answering?._headerSent) socket.write(errorAnswer(error), 'latin1');
  socket.destroy(error);
}

/** node: `socketOnTimeout`. Without a listener the connection is closed. */
export function tellTimeout({ socket, server }: Faulty, receiving: EngineRequest | null): void {
  const heardByRequest = receiving !== null && !receiving.complete && receiving.emit('timeout', socket);
  const heardByResponse = socket._httpMessage?.emit('timeout', socket as never) === true;
  if (!server.emit('timeout', socket) && !heardByRequest && !heardByResponse) socket.destroy();
}

/** The peer went away before the response was out (node: `abortIncoming`). */
function abortRequest(req: EngineRequest): void {
  // Uses the stream, so a lean request becomes node's, whose `destroy` emits `'aborted'`, `'error'` and `'close'`.
  req.destroy(abortedError());
}

/** The connection is closed: ends the current exchange and those that wait after it. */
export function abort(
  { socket, reading }: Faulty,
  current: EngineResponse | null,
  waiting: readonly EngineResponse[],
): void {
  reading.forgetStores();
  if (current !== null) abortRequest(current[kRequest]);
  for (const { [kRequest]: req } of waiting) abortRequest(req);
  if (WAITING_RESPONSES_ARE_DESTROYED) for (const late of waiting) late.destroy(abortedError());
  // As under node, a response whose socket was detached does not close with it.
  if (current !== null && socket._httpMessage === current) closeResponse(current);
}

/** The response to a request that was refused before any handler (node: `socketOnError`). */
function errorAnswer(error: Error & { code?: string }): string {
  return `HTTP/1.1 ${errorStatus(error.code)}\r\nConnection: close\r\n\r\n`;
}

function errorStatus(code: string | undefined): string {
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? 431
      : code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
        ? 413
        : code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 408
          : 400;
  return `${status} ${http.STATUS_CODES[status]}`;
}
