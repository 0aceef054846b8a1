import fc = require('fast-check');
import type { Pause } from '../../support/transcript.js';
import type { BodyPlan, Program, RequestPlan, Statement } from './program.js';

/** Acts on a response, the simplest first: fast-check shrinks a failing program towards it. */
const ANSWERS = [
  `res.end('whole')`,
  `res.end()`,
  `res.write('part')`,
  `res.end(Buffer.from('octets'))`,
  `res.end('whole', cb('end'))`,
  `res.end(cb('end'))`,
  `res.end('w\\xf6rd', 'latin1')`,
  `res.write(Buffer.from('octets'))`,
  `res.write('part', cb('write'))`,
  `res.write('')`,
  `res.write(Buffer.alloc(0))`,
  `res.end('x'.repeat(20_000))`,
  `res.write('x'.repeat(70_000))`,
  `res.end(true)`,
  `res.write(null)`,
];
const FIELDS = [
  `res.setHeader('X-A', '1')`,
  `res.setHeader('Set-Cookie', ['a=1', 'b=2'])`,
  `res.setHeader('Content-Length', 5)`,
  `res.setHeader('Connection', 'close')`,
  `res.setHeader('Transfer-Encoding', 'chunked')`,
  `res.setHeader('Trailer', 'x-sum')`,
  `res.setHeader('Date', 'now')`,
  `res.setHeader('X-A', 'not\\na value')`,
  `res.appendHeader('x-a', '2')`,
  `res.removeHeader('X-A')`,
  `res.removeHeader('Date')`,
  `res.removeHeader('Connection')`,
  `res.removeHeader('Content-Length')`,
  `res.removeHeader('Transfer-Encoding')`,
  `res.setHeaders(new Map([['x-b', '1']]))`,
  `res.statusCode = 404`,
  `res.statusCode = 204`,
  `res.statusCode = 304`,
  `res.statusCode = 7`,
  `res.statusMessage = 'Own Words'`,
  `res.sendDate = false`,
  `res.shouldKeepAlive = false`,
  `res.strictContentLength = true`,
  `res.useChunkedEncodingByDefault = false`,
];
const HEADS = [
  `res.writeHead(201)`,
  `res.writeHead(200, { 'X-B': '1', 'x-a': '2' })`,
  `res.writeHead(202, 'Taken', ['x-a', '1', 'x-b', '2'])`,
  `res.writeHead(200, { 'set-cookie': ['a', 'b'], 'x-a': '3' })`,
  `res.writeHead(200, { 'x-a': '4', 'x-b': undefined })`,
  `res.writeHead(204)`,
  `res.writeHead(304, { etag: '"a"' })`,
  `res.writeHead(200, { 'content-length': 5 })`,
  `res.writeHead(200, { connection: 'close' })`,
  `res.writeHead(200, { trailer: 'x-sum', 'transfer-encoding': 'chunked' })`,
  `res.writeHead(1000)`,
  `res.flushHeaders()`,
  `res.addTrailers({ 'x-sum': '5' })`,
];
const INTERIM = [
  `res.writeContinue()`,
  `res.writeContinue(cb('continue'))`,
  `res.writeProcessing()`,
  `res.writeEarlyHints({ link: '</a>; rel=preload' })`,
];
const STREAMS = [
  `res.cork()`,
  `res.uncork()`,
  `req.pipe(res)`,
  `req.unpipe(res)`,
  `stream.pipeline(req, res, cb('pipeline'))`,
  `stream.pipeline(stream.Readable.from(['ab', 'cd']), res, cb('pipeline'))`,
  `stream.finished(res, cb('finished res'))`,
  `stream.finished(req, cb('finished req'))`,
];
const READING = [
  `req.resume()`,
  `req.on('data', data)`,
  `req.pause()`,
  `req.read()`,
  `req.read(1)`,
  `req.setEncoding('utf8')`,
  `req.on('readable', () => data(req.read()))`,
  `collect(req)`,
  `req.removeListener('data', data)`,
];
const ENDS = [
  `res.destroy()`,
  `res.destroy(new Error('by the program'))`,
  `req.destroy()`,
  `req.destroy(new Error('by the program'))`,
  `req.socket.destroy()`,
  `req.socket.end()`,
];
const SOCKETS = [
  `req.socket.pause()`,
  `req.socket.resume()`,
  `req.socket.setNoDelay(true)`,
  `req.socket.setKeepAlive(true)`,
  `req.socket.cork()`,
  `req.socket.uncork()`,
  `req.socket.write('past HTTP')`,
  `req.socket.write('past HTTP', cb('past HTTP'))`,
  `req.socket.end('past HTTP')`,
  `req.socket.destroySoon()`,
  `req.socket.resetAndDestroy()`,
  `req.socket.server.closeIdleConnections()`,
  `req.unshift(Buffer.from('un'))`,
  `res._send('past the head')`,
];
const DEADLINES = [
  `res.setTimeout(25)`,
  `res.setTimeout(25, cb('timeout'))`,
  `req.setTimeout(25, cb('timeout'))`,
  `res.setTimeout(0)`,
  `req.socket.setTimeout(25, cb('timeout'))`,
];
const READINGS = ['headersSent', 'finished', 'writableEnded', 'writableFinished', 'writable', 'destroyed', 'closed']
  .concat([
    'errored',
    'writableLength',
    'writableNeedDrain',
    'writableCorked',
    'writableHighWaterMark',
    'statusMessage',
  ])
  .concat(['socket', 'chunkedEncoding', 'shouldKeepAlive', 'connection', 'sendDate'])
  .map((name) => `res.${name}`)
  .concat(
    ['complete', 'aborted', 'readable', 'readableEnded', 'readableFlowing', 'readableLength', 'readableDidRead']
      .concat(['readableAborted', 'destroyed', 'closed', 'errored', 'headers', 'rawHeaders', 'trailers', 'socket'])
      .map((name) => `req.${name}`),
    `res.getHeaders()`,
    `res.getHeader('x-a')`,
    `res.hasHeader('X-A')`,
    `res.getHeaderNames()`,
    `req.isPaused()`,
  );

/** The events to which programs listen, by the emitter. */
type Events = Readonly<Partial<Record<Extract<Statement, { do: 'listen' }>['to'], readonly string[]>>>;

/** The statements of handlers: those of the acts and events that `fits` admits. */
export function statementsOf(
  events: Events,
  fits: (act: string) => boolean,
  pauses: readonly Pause[],
): fc.Arbitrary<Statement> {
  const groups: readonly (readonly [weight: number, acts: readonly string[]])[] = [
    [24, ANSWERS],
    [12, FIELDS],
    [8, HEADS],
    [4, INTERIM],
    [7, STREAMS],
    [12, READING],
    [5, ENDS],
    [3, SOCKETS],
    [2, DEADLINES],
    [16, READINGS],
  ];
  const admitted = groups.map(([weight, acts]) => [weight, acts.filter((act) => fits(act))] as const);
  const code = fc.oneof(
    ...admitted
      .filter(([, acts]) => acts.length > 0)
      .map(([weight, acts]) => ({ weight, arbitrary: fc.constantFrom(...acts) })),
  );
  const inside = fc.array(code, { maxLength: 2 });
  const emitters = (['res', 'req', 'res', 'req', 'req.socket'] as const).filter((to) => events[to] !== undefined);
  const listen = fc.constantFrom(...emitters).chain((to) =>
    fc.record({
      do: fc.constant('listen' as const),
      to: fc.constant(to),
      event: fc.constantFrom(...(events[to] ?? [])),
      how: fc.constantFrom('on' as const, 'on' as const, 'once' as const, 'prependListener' as const),
      then: inside,
    }),
  );
  const how = fc.constantFrom(...pauses);
  const short = fc.constantFrom(...pauses.filter((each) => each !== 'later'));
  return fc.oneof(
    { weight: 12, arbitrary: fc.record({ do: fc.constant('run' as const), code }) },
    { weight: 4, arbitrary: listen },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), how }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('later' as const), how: short, then: inside }) },
  );
}

const PAUSES: readonly Pause[] = ['microtask', 'tick', 'immediate', 'timer', 'later'];

const EVENTS = {
  res: ['finish', 'close', 'prefinish', 'drain', 'error', 'pipe', 'unpipe'],
  req: ['end', 'close', 'aborted', 'error', 'pause', 'resume'],
  'req.socket': ['close', 'end', 'drain'],
} as const;

const body: fc.Arbitrary<BodyPlan> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('length' as const), size: fc.constantFrom(1, 0, 5, 300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('length' as const), size: fc.constantFrom(20_000, 70_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('chunked' as const),
      sizes: fc.array(fc.constantFrom(1, 5, 300), { maxLength: 3 }),
      trailer: fc.boolean(),
    }),
  },
);

export const guarded = fc.constantFrom(true, true, true, false);
const ends = fc.constantFrom(
  ...(['now', 'now', 'now', 'microtask', 'tick', 'immediate', 'timer', 'later', 'never'] as const),
);

const field = fc.constantFrom(
  'Connection: keep-alive',
  'Connection: close',
  'Expect: 100-continue',
  'X-A: 1',
  'TE: trailers',
);

const request: fc.Arbitrary<RequestPlan> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'POST', 'HEAD', 'PUT'),
    version: fc.constantFrom('1.1' as const, '1.1' as const, '1.1' as const, '1.1' as const, '1.0' as const),
    fields: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(field, { maxLength: 2 }) },
    ),
    body,
    after: fc.constantFrom('nothing' as const, 'nothing' as const, 'read' as const, 'settled' as const),
    cut: fc.record({
      at: fc.integer({ min: 1, max: 999 }),
      then: fc.constantFrom('settled' as const, 'read' as const, 'settled' as const, 'lost' as const),
    }),
    guarded,
    handler: fc.array(
      statementsOf(EVENTS, () => true, PAUSES),
      { maxLength: 8, size: 'max' },
    ),
    ends,
  },
  { requiredKeys: ['method', 'version', 'fields', 'body', 'after', 'guarded', 'handler', 'ends'] },
);

const rarely = fc.constantFrom(false, false, false, false, false, false, false, true);

/** Any program; fast-check knows how to shrink it. */
export const anyProgram: fc.Arbitrary<Program> = fc.record({
  server: fc.record({
    halfOpen: rarely,
    continues: rarely,
    clientError: rarely,
    maxRequests: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 2),
  }),
  requests: fc.array(request, { minLength: 1, maxLength: 4, size: 'max' }),
  ending: fc.constantFrom(
    'probe' as const,
    'probe' as const,
    'probe' as const,
    'finish' as const,
    'drop' as const,
    'reset' as const,
  ),
  slow: rarely,
  stores: fc.oneof(
    { weight: 6, arbitrary: fc.constant({ connections: 'none' as const, handlers: 'none' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({
        connections: fc.constantFrom('none' as const, 'none' as const, 'listen' as const, 'connection' as const),
        handlers: fc.constantFrom('none' as const, 'run' as const, 'run' as const, 'enter' as const),
      }),
    },
  ),
});
