import nonstop from './v4.js';
import type types = require('../types/v4/index.js');

/* The same instance for `require` and `import`, as in `index.mts`. */
export const { application, request, response, Route, Router } = nonstop;
export const json: types.Framework['json'] = nonstop.json;
export const query: types.Framework['query'] = nonstop.query;
export const raw: types.Framework['raw'] = nonstop.raw;
export const text: types.Framework['text'] = nonstop.text;
export const urlencoded: types.Framework['urlencoded'] = nonstop.urlencoded;
const serveStatic: types.Framework['static'] = nonstop.static;
export { nonstop as default, serveStatic as static };

export type * from '../types/v4/index.js';
// A value above hides a re-exported type of the same name, so these types are declared here.
export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
export type Router = types.Router;
