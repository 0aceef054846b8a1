import http = require('node:http');

/** The methods that the running Node's parser knows: a request with another one is refused with 400, as node does. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(http.METHODS);

/** Every beginning of a known method, to tell "not a method" from "not yet a method" while octets arrive. */
export const METHOD_PREFIXES: ReadonlySet<string> = new Set(
  http.METHODS.flatMap((method) => Array.from(method, (_, i) => method.slice(0, i + 1))),
);
