/** For the framework, which must not load HTTP/2 in order to know. */
export { http2IsLoaded } from '../node/loaded-parts.js';
