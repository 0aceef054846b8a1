/*
 * The third published file: HTTP/2, and with it `node:http2`, which a program that does not ask for it never loads.
 */
export { http2Host } from '../http2/host.js';
