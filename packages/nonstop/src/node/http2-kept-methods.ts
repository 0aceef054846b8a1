import type { ServerHttp2Stream } from 'node:http2';
import { define } from '../core/define-own.js';
import { NodeHttp2Response } from './http2-servers.js';
import { symbolOf } from './symbols.js';

type Methods = Record<string, (this: object, ...given: unknown[]) => unknown>;

/** The parts of a response that node's methods use. */
interface Response {
  [symbol: symbol]: unknown;
  statusCode: number;
  sendDate: boolean;
  readonly headersSent: boolean;
  readonly finished: boolean;
  readonly destroyed: boolean;
  readonly _header: string | null;
  _contentLength: number | null;
}

/**
 * Makes node's methods of a response call `methods` when they are called on this one. Code that wraps a method, such as on-headers, calls
 * node's even after the response got another prototype. node's methods reach the stream, the state and the fields by symbols.
 *
 * @param methods by node's names
 */
export function leadNodesMethods(response: object, methods: Methods): void {
  const res = response as Response;
  const call = (name: string, ...given: unknown[]): unknown => methods[name].apply(res, given);
  const lead = (holder: object, description: string, get: () => unknown): void => {
    const symbol = symbolOf(holder, description);
    if (symbol !== undefined) define(res, symbol, { configurable: true, get });
  };
  const stream = symbolOf(res, 'stream');
  if (stream === undefined) return;
  const led = ledStream(res[stream] as ServerHttp2Stream, res, call);
  const state = ledState(res, (led as { headRequest?: unknown }).headRequest);
  lead(res, 'stream', () => led);
  lead(res, 'state', () => state);
  lead(res, 'headers', () => {
    const deleteProperty = (_fields: object, name: string | symbol): boolean => (call('removeHeader', name), true);
    return new Proxy(call('getHeaders') as Record<string, unknown>, { deleteProperty });
  });
  const { prototype } = NodeHttp2Response;
  for (const name of ['setHeader', 'appendHeader']) lead(prototype, name, () => call.bind(null, name));
  // node's own sends the head at once.
  lead(prototype, 'begin-send', () => () => {
    call('writeHead', res.statusCode);
    call('flushHeaders');
  });
}

function ledStream(
  stream: ServerHttp2Stream,
  res: Response,
  call: (name: string, ...given: unknown[]) => unknown,
): object {
  const own: Record<PropertyKey, unknown> = { destroyed: false, writableEnded: true };
  for (const name of ['write', 'end', 'destroy', 'setTimeout']) own[name] = call.bind(null, name);
  return new Proxy(stream, {
    get(_stream, name): unknown {
      if (name === 'headersSent') return res.headersSent;
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(stream, name);
      return typeof value === 'function' ? (value.bind(stream) as unknown) : value;
    },
  });
}

/** The state that node's methods read and write: that of `res`. */
function ledState(res: Response, headRequest: unknown): object {
  const fixed: Record<PropertyKey, unknown> = { closed: false, headRequest };
  return new Proxy(fixed, {
    get: (_fixed, name): unknown => fixed[name] ?? Reflect.get(res, name === 'ending' ? 'finished' : name),
    set: (_fixed, name, value): boolean => {
      // `end()` sets this. If there is no head by then, it was called without a body.
      if (name === 'ending' && res._header === null) res._contentLength = 0;
      return (name !== 'statusCode' && name !== 'sendDate') || Reflect.set(res, name, value);
    },
  });
}
