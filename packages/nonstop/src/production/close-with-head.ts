import type http from 'node:http';

interface Writing {
  writeHead(this: http.ServerResponse, status: number, ...rest: unknown[]): http.ServerResponse;
}

/**
 * Makes an answer say `Connection: close` although its handler says `keep-alive`, as a reverse proxy does that passes on the fields of another
 * server. Otherwise its client would send requests on the connection until the drain cuts them off.
 */
export function closeWithHead(res: http.ServerResponse): void {
  const writing = res as Writing;
  const { writeHead } = writing;
  const closesWithIt: Writing['writeHead'] = function (status, ...rest) {
    // A later request of the connection sets `shouldKeepAlive` again: its answer would be lost if this one closed.
    if (!this.headersSent && !this.shouldKeepAlive) {
      const value = this.getHeader('connection');
      if (keepsAlive('connection', value)) this.setHeader('Connection', closing(value));
      rest = rest.map(withoutKeepAlive);
    }
    return writeHead.call(this, status, ...rest);
  };
  writing.writeHead = closesWithIt;
}

const KEEP_ALIVE = /(?<![^\s,])keep-alive(?![^\s,])/i;

const keepsAlive = (name: unknown, value: unknown): boolean =>
  typeof name === 'string' && name.toLowerCase() === 'connection' && KEEP_ALIVE.test(String(value));

/** The value of Connection (RFC 9110 §7.6.1: a list) without keep-alive. */
const closing = (value: unknown): string => String(value).replace(KEEP_ALIVE, 'close');

/** @param given an argument of `writeHead()`: the reason, or the fields as an object, as a list of names and values, or as a list of pairs */
function withoutKeepAlive(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (!Array.isArray(given)) {
    const fields = Object.entries(given);
    return fields.some(([name, value]) => keepsAlive(name, value))
      ? Object.fromEntries(fields.map(closingPair))
      : given;
  }
  const list = given as readonly unknown[];
  if (Array.isArray(list[0])) return list.map((pair) => (Array.isArray(pair) ? closingPair(pair) : pair));
  return list.map((value, i) => (i % 2 === 1 && keepsAlive(list[i - 1], value) ? closing(value) : value));
}

function closingPair(pair: readonly unknown[]): readonly [string, unknown] {
  const [name, value] = pair as readonly [string, unknown];
  return keepsAlive(name, value) ? [name, closing(value)] : (pair as readonly [string, unknown]);
}
