import nonstop from './v4.js';

export const { application, json, query, raw, request, response, Route, Router, text, urlencoded } = nonstop;
const serveStatic = nonstop.static;
export { nonstop as default, serveStatic as static };
