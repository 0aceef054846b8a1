import assert = require('node:assert/strict');
import http = require('node:http');
import { eachSameThroughBothDoors, type Log, type Scenario } from '../support/both-doors.js';

type Patch = (req: http.IncomingMessage, res: http.ServerResponse, log: Log) => void;
type Loose = Record<string, (...args: unknown[]) => unknown>;
/** Members that node does not document but middleware reads. */
interface Inner {
  _header: string | null;
  _headerSent: boolean;
  _contentLength: number | null;
  _removedHeader: Record<string, boolean>;
  _hasBody: boolean;
  _last: boolean;
  _implicitHeader(): void;
  _sent100: boolean;
}
const inner = (res: http.ServerResponse): Inner => res as unknown as Inner;

/** Wraps one method of this object, as middleware does; logs its calls, and calls `before` first. */
function wrap(target: object, method: string, before: (args: unknown[]) => unknown[] | undefined | void): void {
  const loose = target as Loose;
  const original = loose[method];
  loose[method] = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, before(args) ?? args);
  };
}

const patches: Record<string, Patch> = {
  'on-headers: fields added when the head is written': (_req, res, log) => {
    let done = false;
    wrap(res, 'writeHead', (args) => {
      log('patch', 'writeHead', [args.length, args[0]]);
      if (!done) res.setHeader('X-Late', 'set in writeHead');
      done = true;
    });
  },
  'response-time: a status read in writeHead': (_req, res, log) =>
    wrap(res, 'writeHead', () => {
      log('patch', 'status', res.statusCode);
      res.removeHeader('X-Gone');
    }),
  'a write that is counted': (_req, res, log) => {
    wrap(res, 'write', ([chunk]) => log('patch', 'write', String(chunk)));
    wrap(res, 'end', ([chunk]) => log('patch', 'end', String(chunk)));
  },
  'compression: write and end replaced, head forced first': (_req, res, log) => {
    const { end } = res as unknown as Loose;
    const loose = res as unknown as Loose;
    const parts: string[] = [];
    loose['write'] = (chunk) => {
      if (inner(res)._header === null) inner(res)._implicitHeader();
      parts.push(String(chunk));
      return true;
    };
    loose['end'] = function (this: unknown, chunk) {
      log('patch', 'header at end', typeof inner(res)._header);
      if (chunk !== undefined) parts.push(String(chunk));
      return end.call(this, parts.join('').toUpperCase());
    };
    wrap(res, 'writeHead', () => {
      res.removeHeader('Content-Length');
      res.setHeader('Content-Encoding', 'upper');
    });
  },
  'express-session: end delayed, head and body held back': (_req, res, log) => {
    const { end, write } = res as unknown as Loose;
    const loose = res as unknown as Loose;
    loose['end'] = (chunk, encoding) => {
      if (!inner(res)._header) inner(res)._implicitHeader();
      const body = Buffer.from(String(chunk ?? ''));
      if (body.length > 0) write.call(res, body.subarray(0, -1));
      log('patch', 'sent', [res.headersSent, inner(res)._headerSent]);
      setImmediate(() => end.call(res, body.subarray(-1), encoding));
      return res;
    };
  },
  'express-session: a fixed length held back': (_req, res) => {
    const { end, write } = res as unknown as Loose;
    (res as unknown as Loose)['end'] = (chunk) => {
      const body = Buffer.from(String(chunk ?? ''));
      res.setHeader('Content-Length', body.length);
      write.call(res, body.subarray(0, -1));
      setImmediate(() => end.call(res, body.subarray(-1)));
      return res;
    };
  },
  'morgan: on-finished reading _header': (req, res, log) =>
    res.on('finish', () => {
      const head = inner(res)._header;
      log('patch', 'at finish', [
        typeof head,
        head?.split('\r\n')[0],
        res.statusCode,
        res.getHeader('x-gone'),
        req.socket?.remoteAddress,
        req.httpVersionMajor,
      ]);
    }),
  'setHeader wrapped on the instance': (_req, res, log) =>
    wrap(res, 'setHeader', ([name, value]) => {
      log('patch', 'setHeader', [name, value]);
      return [name, `${String(value)} (seen)`];
    }),
  'getHeader and removeHeader wrapped': (_req, res, log) => {
    wrap(res, 'getHeader', ([name]) => log('patch', 'getHeader', name));
    wrap(res, 'removeHeader', ([name]) => log('patch', 'removeHeader', name));
  },
  'on and once wrapped on the instance': (req, res, log) => {
    wrap(res, 'on', ([event]) => log('patch', 'res.on', event));
    wrap(req, 'on', ([event]) => log('patch', 'req.on', event));
  },
  'emit wrapped on the instance': (req, res, log) => {
    wrap(res, 'emit', ([event]) => log('patch', 'res.emit', event));
    wrap(req, 'emit', ([event]) => {
      if (event !== 'readable') log('patch', 'req.emit', event);
    });
  },
  'flushHeaders wrapped': (_req, res, log) => wrap(res, 'flushHeaders', () => log('patch', 'flushHeaders')),
  'writeHead that changes the status': (_req, res) => wrap(res, 'writeHead', ([, ...rest]) => [202, ...rest]),
  'writeHead that throws once is not called again by end': (_req, res, log) =>
    wrap(res, 'writeHead', () => {
      log('patch', 'writeHead');
      res.setHeader('X-In', '1');
    }),
  'trailers added when the head is written': (_req, res) =>
    wrap(res, 'writeHead', () => {
      res.removeHeader('Content-Length');
      res.addTrailers({ 'X-Sum': '5' });
    }),
  'the first listener of its finish wrapped': (_req, res, log) => {
    const [own] = res.listeners('finish') as [(this: http.ServerResponse) => void];
    res.removeListener('finish', own);
    res.on('finish', () => {
      log('patch', 'finish', res.socket !== null);
      own.call(res);
    });
  },
  'a prototype put between': (req, res, log) => {
    const own = Object.create(Object.getPrototypeOf(res) as object) as Record<string, unknown>;
    own['hello'] = function (this: http.ServerResponse): string {
      return `hello ${this.statusCode}`;
    };
    Object.setPrototypeOf(res, own);
    log('patch', 'own method', (res as unknown as { hello(): string }).hello());
    Object.defineProperty(req, 'secure', { configurable: true, get: () => true });
    log('patch', 'own getter', (req as unknown as { secure: boolean }).secure);
  },
  '_implicitHeader called by hand': (_req, res, log) => {
    res.statusCode = 203;
    inner(res)._implicitHeader();
    log('patch', 'header', [inner(res)._header?.split('\r\n')[0], res.headersSent]);
  },
  'properties of its own on req and res': (req, res, log) => {
    Object.assign(req, { id: 7, user: { name: 'u' }, body: 'b', query: {} });
    Object.assign(res, { locals: {}, flush: () => undefined });
    log('patch', 'keys', ['id' in req, 'body' in req, 'locals' in res, 'nothing' in req]);
  },
};

const answers: readonly (readonly [name: string, answer: (res: http.ServerResponse) => void])[] = [
  ['end(body)', (res) => res.end('body')],
  [
    'write and end',
    (res) => {
      res.write('bo');
      res.end('dy');
    },
  ],
  ['writeHead and end', (res) => res.writeHead(201, { 'X-Head': '1' }).end('body')],
  [
    'flushHeaders and end',
    (res) => {
      res.flushHeaders();
      res.end('body');
    },
  ],
  ['end()', (res) => res.end()],
];

const scenarios: Scenario[] = Object.entries(patches)
  .flatMap(([name, patch]) =>
    answers.map(([how, answer]): Scenario => ({
      name: `${name}; ${how}`,
      send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
      then: 'follow',
      handler: (req, res, log) => {
        res.setHeader('X-Gone', 'there');
        patch(req, res, log);
        res.setHeader('Content-Type', 'text/plain');
        if (!res.headersSent) answer(res);
        else res.end('after the head');
      },
    })),
  )
  .filter(({ name }) => !name.startsWith('_implicitHeader') || name.endsWith('; end()'));

eachSameThroughBothDoors(scenarios);

/** Runs `act` while a method of node's prototype is wrapped: each of its calls is logged. */
async function whileWrapped(methods: Loose, name: string, log: Log, act: () => Promise<unknown>): Promise<void> {
  const had = Object.getOwnPropertyDescriptor(methods, name);
  const original = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]): unknown {
    log('prototype', name, name === 'emit' ? args[0] : undefined);
    return original.apply(this, args);
  };
  try {
    await act();
  } finally {
    if (had === undefined) delete methods[name];
    else Object.defineProperty(methods, name, had);
  }
}

const ofResponses =
  'end write writeHead setHeader getHeader removeHeader flushHeaders emit on uncork assignSocket detachSocket ' +
  '_implicitHeader _storeHeader _send _writeRaw _finish _flush _flushOutput';

/** What agents that watch a process do: methods in front of node's own, for all responses. */
const instrumented: Scenario[] = ofResponses.split(' ').flatMap((name) =>
  answers.map(([how, answer]): Scenario => ({
    name: `${name} of node's prototype wrapped while the server runs; ${how}`,
    talk: (client, { log }) =>
      whileWrapped(http.ServerResponse.prototype as unknown as Loose, name, log, async () => {
        await client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        await client.untilClose();
      }),
    handler: (_, res) => {
      res.setHeader('X-Set', 'there');
      res.removeHeader('X-Gone');
      res.getHeader('X-Set');
      answer(res);
    },
    check: ({ events }) => assert.ok(name !== 'setHeader' || events['prototype'] !== undefined),
  })),
);

const ofRequests = '_addHeaderLine _addHeaderLines _dump _destroy destroy emit read resume push';
const bodies = { 'without a body': '', 'with a body': 'Content-Length: 3\r\n' };

/** The same for requests that are not read. */
const instrumentedRequests: Scenario[] = ofRequests.split(' ').flatMap((name) =>
  Object.entries(bodies).map(([what, line]): Scenario => ({
    name: `${name} of node's prototype wrapped while the server runs; an unread request ${what}`,
    talk: (client, { log }) =>
      whileWrapped(http.IncomingMessage.prototype as unknown as Loose, name, log, async () => {
        await client.send(`POST / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n${line}\r\n${line === '' ? '' : 'abc'}`);
        await client.answer();
        await client.send('GET /probe HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n');
        await client.untilClose();
      }),
    handler: (req, res) => res.end(req.headers['x-a']),
  })),
);

/** An application that keeps a field under another name, and one that drops fields. */
const rewritten: Scenario[] = (['_addHeaderLine', '_addHeaderLines'] as const).map((name) => ({
  name: `${name} of node's prototype that changes the fields`,
  talk: async (client) => {
    const methods = http.IncomingMessage.prototype as unknown as Loose;
    const original = methods[name];
    methods[name] = function (this: unknown, ...args: unknown[]): unknown {
      if (name === '_addHeaderLine') return original.call(this, `x-${String(args[0])}`, args[1], args[2]);
      const kept = (args[0] as string[]).slice(0, 2);
      return original.call(this, kept, kept.length);
    };
    try {
      await client.send('GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\nConnection: close\r\n\r\n');
      await client.untilClose();
    } finally {
      methods[name] = original;
    }
  },
  options: { requireHostHeader: false },
  handler: (req, res) => res.end(JSON.stringify([req.headers, req.rawHeaders, req.headersDistinct])),
}));

eachSameThroughBothDoors([...instrumented, ...instrumentedRequests, ...rewritten]);
