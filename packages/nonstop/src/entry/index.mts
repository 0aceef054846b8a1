import nonstop from './index.js';
import type types = require('../types/index.js');

/*
 * The same instance for `require` and `import`: the functions and objects of the CommonJS entry, under the names that
 * Node detects in Express's CommonJS module, so that `import { Router } from` works.
 */
export const { application, request, response, Route, Router } = nonstop;
// Named one by one, because editors show no doc comments for the inferred types of destructured functions.
export const json: types.Framework['json'] = nonstop.json;
export const raw: types.Framework['raw'] = nonstop.raw;
export const text: types.Framework['text'] = nonstop.text;
export const urlencoded: types.Framework['urlencoded'] = nonstop.urlencoded;
const serveStatic: types.Framework['static'] = nonstop.static;
export { nonstop as default, serveStatic as static };

export type * from '../types/index.js';
// A value above hides a re-exported type of the same name, so these types are declared here.
export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
export type Router = types.Router;
