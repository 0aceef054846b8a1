/*
 * The published file with the command and the functions of `nonstop/production`. The engine comes from the main file.
 */
export { productionApi } from '../production/api.js';
export { runCommand } from '../production/command.js';
