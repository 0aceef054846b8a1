/*
 * The published file with the parts that only Express 4 needs. The rest comes from the main file (docs/decisions/0008).
 */
export { deep } from '../express/v4/deep.js';
export { express } from '../express/v4/express.js';
