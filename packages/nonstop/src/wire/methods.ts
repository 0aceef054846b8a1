import { KNOWS_QUERY } from '../node/differences.js';

/** The methods that a request may have, those of llhttp: one with another is refused with 400. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(
  (
    'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS ' +
    'PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE' +
    (KNOWS_QUERY ? ' QUERY' : '')
  ).split(' '),
);

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

/** The method of the connection preface of HTTP/2 (RFC 9113 §3.4), which node's parser knows to refuse it. */
export const PREFACE_METHOD = 'PRI';

const readMethods: ReadonlySet<string> = new Set([...KNOWN_METHODS, ...RTSP_METHODS, PREFACE_METHOD]);

/** Whether node's parser reads a target behind this method, whatever it says to it later. */
export function isReadMethod(token: string): boolean {
  return readMethods.has(token);
}

/** Every beginning of a known method, to tell "not a method" from "not yet a method" while octets arrive. */
export const METHOD_PREFIXES: ReadonlySet<string> = new Set(
  [...readMethods].flatMap((method) => Array.from(method, (_, i) => method.slice(0, i + 1))),
);
