import { EventEmitter } from 'node:events';
import http = require('node:http');
import { Readable, Stream, Writable } from 'node:stream';
import type { Scene } from '../support/plays.js';

/** One act on a message. */
export interface Act {
  /** Written as in a program: `OutgoingMessage.prototype.end.call(res, "tail")`. */
  readonly name: string;
  readonly run: (scene: Scene) => unknown;
}

type Args = readonly (readonly unknown[])[];
/** In a list of arguments it stands for a function that notes its calls. */
const CALLBACK = Symbol('callback');
const SOCKET = Symbol('socket');
const RESPONSE = Symbol('response');
const EMITTER = Symbol('emitter');

/** A listener that is added and removed. */
function listener(): void {}
const HINTS = { link: '</a.css>; rel=preload' };
const FIELDS = { 'x-more': 'more' };

/** The arguments of methods; methods that are not listed are called without arguments. */
const ARGS: Readonly<Record<string, Args>> = {
  setHeader: [
    ['x-a', '1'],
    ['X-First', 2],
    ['x-list', ['1', '2']],
    ['Set-Cookie', ['a=1', 'b=2']],
    ['content-length', 4],
    ['Connection', 'close'],
    ['x-a'],
    ['not a name', '1'],
    ['x-a', 'not\na value'],
  ],
  setHeaders: [[new Map([['x-a', '1']])], [new Headers(FIELDS)], [FIELDS]],
  appendHeader: [
    ['X-First', '2'],
    ['x-a', ['1', '2']],
    ['x-a', undefined],
  ],
  getHeader: [['X-First'], [undefined]],
  hasHeader: [['X-First'], ['x-none']],
  removeHeader: [['X-First'], ['Date'], ['connection'], [undefined]],
  write: [
    ['part'],
    [Buffer.from('part')],
    ['p\xe4rt', 'latin1'],
    ['part', CALLBACK],
    ['part', 'utf8', CALLBACK],
    [''],
    [new Uint8Array([112, 97])],
    [null],
    [5],
  ],
  end: [
    [],
    ['tail'],
    [Buffer.from('tail')],
    ['t\xe4il', 'latin1'],
    [CALLBACK],
    ['tail', CALLBACK],
    ['tail', 'utf8', CALLBACK],
    [null],
    [5],
  ],
  writeHead: [
    [201],
    [201, 'Made'],
    [201, FIELDS],
    [201, 'Made', FIELDS],
    [201, ['x-more', 'more', 'X-First', 'again']],
    [204],
    [304],
    [99],
    [200, 'not\na reason'],
  ],
  writeHeader: [[201, FIELDS]],
  writeContinue: [[], [CALLBACK]],
  writeProcessing: [[], [CALLBACK]],
  writeEarlyHints: [[HINTS], [{ ...HINTS, 'x-a': '1' }, CALLBACK], [{}], [undefined]],
  writeInformation: [[103, HINTS], [102], [200]],
  addTrailers: [[{ 'x-sum': '5' }], [[['x-sum', '5']]]],
  setTimeout: [[60_000], [60_000, CALLBACK], [0]],
  destroy: [[], [new Error('destroyed by the program')]],
  _destroy: [[null, CALLBACK]],
  assignSocket: [[SOCKET]],
  detachSocket: [[SOCKET]],
  _send: [['raw', 'latin1', CALLBACK]],
  _writeRaw: [['raw', 'latin1', CALLBACK]],
  _storeHeader: [['HTTP/1.1 200 OK\r\n', null]],
  _flushOutput: [[SOCKET]],
  _write: [['part', 'utf8', CALLBACK]],
  setDefaultEncoding: [['latin1']],
  on: [
    ['finish', CALLBACK],
    ['close', CALLBACK],
    ['end', CALLBACK],
    ['x', CALLBACK],
    ['x', 5],
  ],
  once: [
    ['finish', CALLBACK],
    ['close', CALLBACK],
  ],
  addListener: [['finish', CALLBACK]],
  prependListener: [['close', CALLBACK]],
  prependOnceListener: [['close', CALLBACK]],
  removeListener: [['finish', listener]],
  off: [['close', listener]],
  removeAllListeners: [['x'], ['close']],
  emit: [
    ['x', 1],
    ['finish'],
    ['close'],
    ['end'],
    ['drain'],
    ['timeout'],
    ['error', new Error('emitted by the program')],
  ],
  listeners: [['x'], ['close']],
  rawListeners: [['x']],
  listenerCount: [['x'], ['finish'], ['close'], ['end']],
  setMaxListeners: [[5]],
  pipe: [[RESPONSE]],
  unpipe: [[], [RESPONSE]],
  push: [['more'], [null]],
  unshift: [['before']],
  setEncoding: [['utf8']],
  read: [[], [1], [0]],
  _read: [[1]],
  iterator: [[], [{ destroyOnReturn: false }]],
  _addHeaderLines: [[['x-a', '1'], 2]],
  _addHeaderLine: [['x-a', '1', {}]],
  _addHeaderLineDistinct: [['x-a', '1', {}]],
  map: [[String]],
  filter: [[Boolean]],
  flatMap: [[String]],
  forEach: [[listener]],
  every: [[Boolean]],
  some: [[Boolean]],
  find: [[Boolean]],
  reduce: [[(all: string, part: unknown) => all + String(part), '']],
  drop: [[1]],
  take: [[1]],
  compose: [[(source: unknown) => source]],
  wrap: [[EMITTER]],
};

/** The values that accessors and properties are set to; others are set to true. */
const VALUES: Readonly<Record<string, unknown>> = {
  statusCode: 404,
  statusMessage: 'Own Words',
  socket: SOCKET,
  connection: SOCKET,
  headers: FIELDS,
  headersDistinct: { 'x-more': ['more'] },
  trailers: FIELDS,
  trailersDistinct: { 'x-more': ['more'] },
  _headers: FIELDS,
  _headerNames: { 'x-more': 'X-More' },
  readable: false,
  writable: false,
  readableFlowing: false,
  url: '/elsewhere',
  method: 'PUT',
  sendDate: false,
  shouldKeepAlive: false,
  useChunkedEncodingByDefault: false,
  chunkedEncoding: true,
  strictContentLength: true,
  maxRequestsOnConnectionReached: true,
  _maxListeners: 7,
};

/** A message's own properties, which no prototype shows. */
const OWN = {
  res: ['sendDate', 'shouldKeepAlive', 'useChunkedEncodingByDefault', 'strictContentLength', 'finished', 'req'].concat([
    'destroyed',
    'writable',
    'chunkedEncoding',
    'outputSize',
    'maxRequestsOnConnectionReached',
  ]),
  req: ['url', 'method', 'complete', 'aborted', 'rawHeaders', 'rawTrailers', 'httpVersion', 'upgrade', 'socket'],
};

const PROTOTYPES: Readonly<Record<'res' | 'req', Readonly<Record<string, object>>>> = {
  res: {
    ServerResponse: http.ServerResponse.prototype,
    OutgoingMessage: http.OutgoingMessage.prototype,
    Writable: Writable.prototype,
    Stream: Stream.prototype,
    EventEmitter: EventEmitter.prototype,
  },
  req: {
    IncomingMessage: http.IncomingMessage.prototype,
    Readable: Readable.prototype,
    Stream: Stream.prototype,
    EventEmitter: EventEmitter.prototype,
  },
};

const PUBLIC_SYMBOLS = new Set<symbol>(
  [
    Symbol.asyncIterator,
    (Symbol as { asyncDispose?: symbol }).asyncDispose,
    EventEmitter.captureRejectionSymbol,
  ].filter((symbol) => symbol !== undefined),
);
/** Replacing these breaks the emitter itself. */
const LEFT_OUT = new Set([
  // Accessors of the engine, which node's own prototypes do not have.
  '_readableState',
  'rawHeaders',
  'rawTrailers',
  'outputData',
  'constructor',
  '_events',
  '_eventsCount',
]);

/** @returns all acts on a message that the methods and accessors of the running Node allow, found by reflection */
export function actsOf(kind: 'res' | 'req'): Act[] {
  const acts: Act[] = [];
  const members = new Map<string | symbol, boolean>(OWN[kind].map((name) => [name, false]));
  for (const [owner, prototype] of Object.entries(PROTOTYPES[kind])) {
    for (const key of Reflect.ownKeys(prototype)) {
      if (typeof key === 'symbol' ? !PUBLIC_SYMBOLS.has(key) : LEFT_OUT.has(key)) continue;
      const descriptor = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
      const isMethod = typeof descriptor.value === 'function';
      if (owner !== 'Writable' && !members.has(key)) members.set(key, isMethod);
      acts.push(...borrowed(`${owner}.prototype`, { kind, key, descriptor }));
    }
  }
  for (const [key, isMethod] of members) acts.push(...direct({ kind, key, isMethod }));
  return acts;
}

interface Member {
  readonly kind: 'res' | 'req';
  readonly key: string | symbol;
}

function borrowed(owner: string, { kind, key, descriptor }: Member & { descriptor: PropertyDescriptor }): Act[] {
  const { get, set, value } = descriptor;
  const where = `${owner}${access(key)}`;
  if (typeof value === 'function') {
    return argsOf(key).map((args) => ({
      name: `${where}.call(${[kind, ...args.map(argName)].join(', ')})`,
      run: (scene) => Reflect.apply(value as () => unknown, scene[kind], given(args, scene)),
    }));
  }
  const acts: Act[] = [];
  if (get !== undefined)
    acts.push({ name: `get of ${where} on ${kind}`, run: (scene) => Reflect.apply(get, scene[kind], []) as unknown });
  if (set !== undefined)
    acts.push({
      name: `set of ${where} on ${kind}`,
      run: (scene) => Reflect.apply(set, scene[kind], given([valueFor(key)], scene)) as unknown,
    });
  return acts;
}

function direct({ kind, key, isMethod }: Member & { isMethod: boolean }): Act[] {
  const message = (scene: Scene): Record<string | symbol, unknown> =>
    scene[kind] as unknown as Record<string | symbol, unknown>;
  const where = `${kind}${access(key)}`;
  if (isMethod) {
    return argsOf(key).map((args) => ({
      name: `${where}(${args.map(argName).join(', ')})`,
      run: (scene) => {
        const owner = message(scene);
        return Reflect.apply(owner[key] as () => unknown, owner, given(args, scene)) as unknown;
      },
    }));
  }
  return [
    { name: where, run: (scene) => message(scene)[key] },
    {
      name: `${where} = ${argName(valueFor(key))}`,
      run: (scene) => {
        [message(scene)[key]] = given([valueFor(key)], scene);
        return message(scene)[key];
      },
    },
  ];
}

const access = (key: string | symbol): string => (typeof key === 'string' ? `.${key}` : `[${String(key)}]`);
const argsOf = (key: string | symbol): Args => (typeof key === 'string' && Object.hasOwn(ARGS, key) ? ARGS[key] : [[]]);
const valueFor = (key: string | symbol): unknown =>
  typeof key === 'string' && Object.hasOwn(VALUES, key) ? VALUES[key] : true;

function given(args: readonly unknown[], { req, res, stage }: Scene): unknown[] {
  return args.map((arg) => {
    if (arg === SOCKET) return req.socket;
    if (arg === RESPONSE) return res;
    if (arg === EMITTER) return new EventEmitter();
    if (arg !== CALLBACK) return arg;
    return (...seen: unknown[]): void => void stage.call('act', 'callback', () => seen);
  });
}

function argName(arg: unknown): string {
  if (arg === CALLBACK) return 'callback';
  if (arg === SOCKET) return 'socket';
  if (arg === RESPONSE) return 'res';
  if (arg === EMITTER) return 'new EventEmitter';
  if (typeof arg === 'function') return arg.name === '' ? 'function' : arg.name;
  if (arg instanceof Error) return 'error';
  if (Buffer.isBuffer(arg)) return `Buffer.from("${arg.toString('latin1')}")`;
  if (arg instanceof Map || arg instanceof Headers || arg instanceof Uint8Array) return `new ${arg.constructor.name}`;
  return JSON.stringify(arg) ?? 'undefined';
}
