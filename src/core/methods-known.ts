import http = require('node:http');

/** The methods that the running Node's parser knows: a request with another one is refused with 400, as node does. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(http.METHODS);

/** Methods of RTSP, which node's parser knows to refuse them by another name. */
export const RTSP_METHODS: ReadonlySet<string> = new Set([
  'DESCRIBE',
  'ANNOUNCE',
  'SETUP',
  'PLAY',
  'PAUSE',
  'TEARDOWN',
  'GET_PARAMETER',
  'SET_PARAMETER',
  'REDIRECT',
  'RECORD',
  'FLUSH',
]);

/** Every beginning of a known method, to tell "not a method" from "not yet a method" while octets arrive. */
export const METHOD_PREFIXES: ReadonlySet<string> = new Set(
  [...KNOWN_METHODS, ...RTSP_METHODS].flatMap((method) => Array.from(method, (_, i) => method.slice(0, i + 1))),
);
