/*
 * The third published file: the command and the functions of `nonstop/production`. The engine it takes from the first one.
 */
export { productionApi } from '../production/api.js';
export { runCommand } from '../production/command.js';
