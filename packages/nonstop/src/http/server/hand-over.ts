import type http = require('node:http');
import type { Socket } from 'node:net';
import { setRealImmediate } from '../../core/clock.js';
import { define } from '../../core/define-own.js';
import { isNodesConnection, takeFromNode } from '../../node/nodes-connection.js';
import type { NodeServer } from '../message.js';
import { engineOf } from './takeover.js';

/**
 * Moves the connection of a response from node:http to the engine after the response is sent, if the engine has the
 * server. Behind a proxy one connection carries the requests of many users for hours.
 *
 * node calls `detachSocket()` of a response at its end. A non-enumerable own property of this response notices the call.
 * A listener would change the result of `listenerCount()`.
 *
 * If the connection cannot be moved then, because the next request has begun or for a reason of {@link takeFromNode},
 * its next request tries again.
 *
 * @param res a response that node made and that has not ended
 */
export function handOver(server: http.Server, res: http.ServerResponse): void {
  const { socket } = res;
  if (engineOf(server) === undefined) return;
  if (socket === null || !isNodesConnection(socket) || Object.hasOwn(res, 'detachSocket')) return;
  const detachSocket = function (this: http.ServerResponse, given: Socket): void {
    delete (res as Partial<http.ServerResponse>).detachSocket;
    res.detachSocket(given);
    // In a later turn, because node's parser may be inside the read of the request, and node's last events come in ticks.
    setRealImmediate(handOverNow, server, res, socket);
  };
  define(res, 'detachSocket', { value: detachSocket, writable: true, enumerable: false, configurable: true });
}

function handOverNow(server: NodeServer, res: http.ServerResponse, socket: Socket): void {
  // node counts the requests of a connection in a closure, which cannot be read.
  if (!res.writableFinished || (server.maxRequestsPerSocket ?? 0) > 0) return;
  const engine = engineOf(server);
  if (engine !== undefined && takeFromNode(server, socket)) engine.serveIdle(socket);
}
