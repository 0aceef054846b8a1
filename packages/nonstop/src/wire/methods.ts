/** The methods that llhttp knows. A request with any other method is refused with 400. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(
  (
    'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS ' +
    'PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
  ).split(' '),
);

/** Methods of RTSP, which node's parser refuses with another error. */
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

/** The method in HTTP/2's connection preface (RFC 9113 §3.4), which node's parser refuses with its own error. */
export const PREFACE_METHOD = 'PRI';

const readMethods: ReadonlySet<string> = new Set([...KNOWN_METHODS, ...RTSP_METHODS, PREFACE_METHOD]);

/** Whether node's parser goes on to read a target after this method, even if it refuses the request later. */
export function isReadMethod(token: string): boolean {
  return readMethods.has(token);
}

/** All prefixes of known methods, to tell a wrong method from an incomplete one. */
export const METHOD_PREFIXES: ReadonlySet<string> = new Set(
  [...readMethods].flatMap((method) => Array.from(method, (_, i) => method.slice(0, i + 1))),
);
