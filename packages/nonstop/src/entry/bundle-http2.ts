/*
 * The published file for HTTP/2. It loads `node:http2`, so only programs that use HTTP/2 load it.
 */
export { http2Host } from '../http2/host.js';
