import http = require('node:http');

/** Placeholder until the engine lands: node's own class. */
export const ServerResponse = http.ServerResponse;
