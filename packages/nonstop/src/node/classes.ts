import { hidden } from '../core/hidden.js';
import http = require('node:http');
import net = require('node:net');

/*
 * node's own classes, taken when this file is loaded. Programs replace them on the `http` object, for example with those
 * of this package; reading them from the object would then recurse without end.
 */
export const NodeHttpServer = http.Server;
export const NodeRequest = http.IncomingMessage;
export const NodeResponse = http.ServerResponse;

/** Methods of node's by their names, also of those that its types leave out. */
export type NodeMethods = Record<string, (this: unknown, ...args: unknown[]) => never>;

/** node's methods, to be looked up at each call so that later instrumentation is called too. */
export const nodeRequest = hidden<NodeMethods>(NodeRequest.prototype);
export const nodeResponse = hidden<NodeMethods>(NodeResponse.prototype);

/** Methods of every server, which this package replaces. node's types overload them; one signature is enough here. */
interface ServerMethods {
  on(this: net.Server, event: string | symbol, listener: unknown): net.Server;
  listen(this: net.Server, ...args: unknown[]): net.Server;
}
export const serverMethods = hidden<ServerMethods>(net.Server.prototype);
