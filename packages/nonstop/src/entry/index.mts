import nonstop from './index.js';
import type types = require('../types/index.js');

/*
 * One instance, however it is loaded: these are the functions and objects of the CommonJS entry, under the names that
 * Node finds in a CommonJS `express`, so that `import { Router } from` keeps working.
 */
export const { application, json, raw, request, response, Route, Router, text, urlencoded } = nonstop;
const serveStatic = nonstop.static;
export { nonstop as default, serveStatic as static };

export type * from '../types/index.js';
// A type that shares its name with a value above is hidden by it, unless it is declared beside it.
export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
export type Router = types.Router;
