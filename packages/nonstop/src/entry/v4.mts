import nonstop from './v4.js';
import type types = require('../types/v4/index.js');

/* One instance, however it is loaded: as the entry of Express 5. */
export const { application, request, response, Route, Router } = nonstop;
export const json: types.Framework['json'] = nonstop.json;
export const query: types.Framework['query'] = nonstop.query;
export const raw: types.Framework['raw'] = nonstop.raw;
export const text: types.Framework['text'] = nonstop.text;
export const urlencoded: types.Framework['urlencoded'] = nonstop.urlencoded;
const serveStatic: types.Framework['static'] = nonstop.static;
export { nonstop as default, serveStatic as static };

export type * from '../types/v4/index.js';
// A type that shares its name with a value above is hidden by it, unless it is declared beside it.
export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
export type Router = types.Router;
