/*
 * The second published file: what Express 4 has for itself. The rest it takes from the first one (docs/decisions/0008).
 */
export { express } from '../express/v4/express.js';
