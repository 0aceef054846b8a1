import type http2 = require('node:http2');
import type { Socket } from 'node:net';
import { noSocketManipulationError } from '../core/errors.js';
import { socketOfSession } from '../node/http2-sessions.js';
import { isAnswered, resetStream } from './reset.js';

/** Members that belong to the one stream, not to the connection with its other streams. */
const OF_STREAM = new Set<PropertyKey>([
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'prependListener',
  'prependOnceListener',
  'listeners',
  'rawListeners',
  'listenerCount',
  'eventNames',
  'emit',
]);

/** Octets on the connection are frames: only the session reads or writes them. */
const FORBIDDEN = new Set<PropertyKey>([
  'write',
  'read',
  'pause',
  'resume',
  'pipe',
  'unpipe',
  'cork',
  'uncork',
  'push',
]);

/** The objects behind a view. */
class Viewed {
  constructor(
    readonly stream: http2.ServerHttp2Stream,
    readonly session: http2.Http2Session | undefined,
    /** The connection's socket; the stream itself if the connection was closed before the first use. */
    readonly socket: Socket | http2.ServerHttp2Stream,
  ) {}
}

/**
 * `req.socket` and `res.socket`: addresses, certificates and settings are those of the connection; events, `destroy()`
 * and `end()` are those of the one stream, so that middleware that ends a connection does not end other requests.
 */
export function viewSocket(stream: http2.ServerHttp2Stream, session: http2.Http2Session | undefined): object {
  const socket = (session && socketOfSession(session)) ?? stream;
  return new Proxy(new Viewed(stream, session, socket), handler);
}

function refuseOctets(): never {
  throw noSocketManipulationError();
}

const handler = {
  has: ({ stream, socket }: Viewed, name: PropertyKey) => name in stream || name in socket,
  getPrototypeOf: ({ socket }: Viewed) => Object.getPrototypeOf(socket) as object,

  get({ stream, session, socket }: Viewed, name: PropertyKey, view: object): unknown {
    if (OF_STREAM.has(name)) return (Reflect.get(stream, name) as () => unknown).bind(stream);
    if (FORBIDDEN.has(name)) return refuseOctets;
    switch (name) {
      // The stream of a HEAD request has ended from the start, although its answer is still to come.
      case 'writable':
      case 'readable':
        return !stream.destroyed && !stream.closed;
      case 'destroyed':
        return stream.destroyed || stream.closed;
      case 'destroy':
        return (error?: Error) => {
          resetStream(stream, error);
          return view;
        };
      case 'end':
      case 'destroySoon':
        return () => {
          // Over HTTP/1 the socket ends behind what was written to it.
          if (!isAnswered(stream)) resetStream(stream);
          return view;
        };
      case 'setTimeout':
        return (session ?? stream).setTimeout.bind(session ?? stream);
    }
    const value: unknown = Reflect.get(socket, name);
    return typeof value === 'function' && name !== 'constructor' ? (value.bind(socket) as unknown) : value;
  },

  set({ socket }: Viewed, name: PropertyKey, value: unknown): boolean {
    if (OF_STREAM.has(name) || FORBIDDEN.has(name)) return refuseOctets();
    return Reflect.set(socket, name, value);
  },
};
