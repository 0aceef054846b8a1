/*
 * The main published file: all modules in one scope. It starts here, and the entries export their parts of it
 * (docs/decisions/0008).
 */
export { deep } from '../express/deep.js';
export { express } from '../express/express.js';
export { host } from '../http/host.js';
