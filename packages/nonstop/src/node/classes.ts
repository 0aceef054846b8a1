import http = require('node:http');

/*
 * node's own classes, taken when this file is loaded. Programs replace them on the `http` object, for example with those
 * of this package; reading them from the object would then recurse without end.
 */
export const NodeHttpServer = http.Server;
export const NodeRequest = http.IncomingMessage;
export const NodeResponse = http.ServerResponse;
