/*
 * The package is published as one file with all modules in one scope: this is where it begins, and the entries take their
 * part of it (docs/decisions/0008).
 */
export { deep } from '../express/deep.js';
export { express } from '../express/express.js';
export { host } from '../http/host.js';
