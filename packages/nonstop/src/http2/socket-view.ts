import type http2 = require('node:http2');
import type { Socket } from 'node:net';
import { noSocketManipulationError } from '../core/errors.js';
import { socketOfSession } from '../node/http2-sessions.js';
import type { Carrier } from './messages.js';
import { isAnswered, resetStream } from './reset.js';
import { kResponse } from './symbols.js';

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
  'getMaxListeners',
  'setMaxListeners',
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

/**
 * `req.socket` and `res.socket`: addresses, certificates and settings are those of the connection; events, `destroy()`
 * and `end()` are those of the one stream, so that middleware that ends a connection does not end other requests.
 */
export function viewSocket(stream: http2.ServerHttp2Stream, session: http2.Http2Session | undefined): object {
  // The stream itself if the connection was closed before the first use.
  const socket = (session && socketOfSession(session)) ?? stream;
  return new Proxy<Socket | http2.ServerHttp2Stream>(socket, new View(stream as Carrier));
}

function refuseOctets(): never {
  throw noSocketManipulationError();
}

type Call = (...given: unknown[]) => unknown;

class View {
  constructor(private readonly stream: Carrier) {}

  get(socket: object, name: PropertyKey, view: object): unknown {
    const { stream } = this;
    if (FORBIDDEN.has(name)) return refuseOctets;
    switch (name) {
      // The stream of a HEAD request has ended from the start, although its answer is still to come.
      case 'writable':
      case 'readable':
        return !stream.destroyed && !stream.closed;
      case 'destroyed':
        return stream.destroyed || stream.closed;
      case 'destroy':
      case 'resetAndDestroy':
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
        return (ms: number, callback?: () => void) => {
          stream[kResponse].setTimeout(ms);
          stream.setTimeout(ms, callback);
          return view;
        };
    }
    const isOfStream = OF_STREAM.has(name);
    const holder = isOfStream ? stream : socket;
    const value: unknown = Reflect.get(holder, name);
    if (typeof value !== 'function' || name === 'constructor') return value;
    if (!isOfStream && Object.hasOwn(socket, name)) return value;
    return (...given: unknown[]) => {
      const result = Reflect.apply(value as Call, holder, given);
      return result === holder ? view : result;
    };
  }

  set(socket: object, name: PropertyKey, value: unknown): boolean {
    if (OF_STREAM.has(name) || FORBIDDEN.has(name)) return refuseOctets();
    return Reflect.set(socket, name, value);
  }
}
