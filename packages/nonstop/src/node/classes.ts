import http = require('node:http');

/*
 * node's own classes, as they were when this was loaded. Programs put other servers and messages in their places on the
 * `http` object, those of this package for one: to go by way of the object would then lead back here, without end.
 */
export const NodeHttpServer = http.Server;
export const NodeRequest = http.IncomingMessage;
export const NodeResponse = http.ServerResponse;
