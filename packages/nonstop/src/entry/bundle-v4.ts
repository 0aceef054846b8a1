/*
 * The second published file: what Express 4 has for itself. The rest it takes from the first one (docs/decisions/0008).
 */
export { deep } from '../express/v4/deep.js';
export { express } from '../express/v4/express.js';
