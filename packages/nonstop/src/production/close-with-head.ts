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
  const closing: Writing['writeHead'] = function (status, ...rest) {
    // A later request of the connection sets `shouldKeepAlive` again: its answer would be lost if this one closed.
    if (!this.headersSent && !this.shouldKeepAlive) {
      if (keepsAlive('connection', this.getHeader('connection'))) this.setHeader('Connection', 'close');
      rest = rest.map(withoutKeepAlive);
    }
    return writeHead.call(this, status, ...rest);
  };
  writing.writeHead = closing;
}

const keepsAlive = (name: string, value: unknown): boolean =>
  name.toLowerCase() === 'connection' && /^keep-alive$/i.test(String(value));

/** @param given an argument of `writeHead()`: the reason, or the fields. A list of fields stays as it is */
function withoutKeepAlive(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const fields = Object.entries(given);
  if (!fields.some(([name, value]) => keepsAlive(name, value))) return given;
  return Object.fromEntries(
    fields.map(([name, value]) => [name, keepsAlive(name, value) ? 'close' : (value as unknown)]),
  );
}
