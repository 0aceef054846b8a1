import type { EventEmitter } from 'node:events';
import http = require('node:http');
import type { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { eachSameThroughBothDoors, type Handler, type Log, type Scenario } from '../support/both-doors.js';

// What widely used middleware does to requests and responses beyond node's documentation. Each row is one habit, written anew, with the
// names of packages that have it. Each runs with five answers, and for a request with and without a body, on both doors.

/** Internal state of node that packages read and write. */
interface Inside {
  _header: string | null;
  _headers: object | undefined;
  _headerNames: object | undefined;
  _headerSent: boolean;
  _hasBody: boolean;
  _contentLength: number | null;
  _removedHeader: object | undefined;
  _sent100: boolean;
  _expect_continue: boolean;
  _last: boolean;
  _keepAliveTimeout: number;
  _defaultKeepAlive: boolean;
  _trailer: string;
  _closed: boolean;
  _events: Record<string, unknown>;
  _eventsCount: number;
  finished: boolean;
  output: unknown;
  outputData: unknown[];
  outputSize: number;
  sendDate: boolean;
  shouldKeepAlive: boolean;
  useChunkedEncodingByDefault: boolean;
  connection: Socket | null;
  _implicitHeader(): void;
  _send(data: string, encoding: string, callback?: () => void): boolean;
  __onFinished: unknown;
}
interface InsideRequest {
  upgrade: boolean;
  _readableState: {
    encoding: string | null;
    ended: boolean;
    endEmitted: boolean;
    flowing: boolean | null;
    length: number;
  };
  _events: Record<string, unknown>;
  _body: boolean;
  _parsedUrl: unknown;
  _dumped: boolean;
  _consuming: boolean;
  client: Socket;
  connection: Socket;
}
type Loose = Record<string, (...args: unknown[]) => unknown>;
interface Turn {
  readonly req: http.IncomingMessage & InsideRequest;
  readonly res: http.ServerResponse & Inside;
  readonly log: Log;
}
type Habit = (turn: Turn) => void | ((answer: () => void) => void);

/** Replaces a method of one message by `around`, which gets the original method and the arguments. */
function wrap(
  message: object,
  name: string,
  around: (original: (...args: unknown[]) => unknown, args: unknown[]) => unknown,
): void {
  const holder = message as Loose;
  const original = holder[name];
  holder[name] = function (this: unknown, ...args: unknown[]): unknown {
    return around((...given) => original.apply(this, given), args);
  };
}

/** Calls `listener` just before the head is written, as on-headers does. */
function beforeHead(res: http.ServerResponse, listener: () => void): void {
  let told = false;
  wrap(res, 'writeHead', (original, args) => {
    const [status, second, third] = args as [number, unknown, unknown];
    const fields = (typeof second === 'string' ? third : second) as Record<string, string> | undefined;
    if (typeof second === 'string') res.statusMessage = second;
    res.statusCode = status;
    for (const [name, value] of Object.entries(Array.isArray(fields) ? {} : (fields ?? {}))) res.setHeader(name, value);
    if (!told) {
      told = true;
      listener();
    }
    return original(res.statusCode);
  });
}

const sizeOf = (chunk: unknown): number => (typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.length : 0);

const onResponses: Record<string, Habit> = {
  'on-headers, compression, response-time: a field is set by a replaced writeHead': ({ res, log }) =>
    beforeHead(res, () => {
      log('habit', 'head', [res._header, res.headersSent, res.getHeaderNames()]);
      res.setHeader('X-Time', '1');
      res.removeHeader('Content-Length');
    }),
  'express-session: a replaced end makes the head, writes all but the last octet, and ends a turn later': ({ res }) => {
    let ended = false;
    wrap(res, 'end', (original, args) => {
      if (ended) return false;
      ended = true;
      if (!res._header) res._implicitHeader();
      const [chunk] = args;
      const text = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.isBuffer(chunk) ? chunk : Buffer.alloc(0);
      if (text.length > 0) res.write(text.subarray(0, -1));
      setImmediate(() => original(text.length > 0 ? text.subarray(-1) : undefined));
      return res;
    });
  },
  'compression, shrink-ray: write and end go by a stream, whose data the original write takes': ({ res }) => {
    const through = new PassThrough();
    const write = res.write.bind(res);
    const end = res.end.bind(res);
    through.on('data', (data: Buffer) => {
      if (!write(data)) through.pause();
    });
    through.on('end', () => end());
    res.on('drain', () => through.resume());
    const streamed = res as unknown as Loose;
    streamed['write'] = (chunk: unknown) => {
      if (!res._header) res._implicitHeader();
      return through.write(chunk);
    };
    streamed['end'] = (chunk: unknown) => {
      if (!res._header) res._implicitHeader();
      return through.end(chunk);
    };
    streamed['flush'] = () => undefined;
    res.removeHeader('Content-Length');
  },
  'hijackresponse, connect-livereload: the body is kept and sent changed, by restored methods': ({ res }) => {
    const { write, end, writeHead } = res;
    const parts: string[] = [];
    let status: number | undefined;
    Object.assign(res, {
      writeHead: (code: number) => {
        status = code;
        return res;
      },
      write: (chunk: unknown) => (parts.push(String(chunk)), true),
      end: (chunk?: unknown) => {
        Object.assign(res, { write, end, writeHead });
        if (chunk !== undefined) parts.push(String(chunk));
        const text = parts.join('').toUpperCase();
        res.setHeader('Content-Length', Buffer.byteLength(text));
        res.writeHead(status ?? res.statusCode);
        return res.end(text);
      },
    });
  },
  'apicache: all three methods are kept on the response and call the originals': ({ res, log }) => {
    const kept = { write: res.write, writeHead: res.writeHead, end: res.end, content: 0 };
    Object.assign(res, { _apicache: kept });
    const loose = res as unknown as Loose;
    loose['writeHead'] = (...args) => {
      res.setHeader('cache-control', 'no-store');
      return (kept.writeHead as unknown as (...args: unknown[]) => unknown).apply(res, args);
    };
    loose['write'] = (...args) => {
      kept.content += sizeOf(args[0]);
      return (kept.write as unknown as (...args: unknown[]) => unknown).apply(res, args);
    };
    loose['end'] = (...args) => {
      kept.content += sizeOf(args[0]);
      log('habit', 'kept', [kept.content, { ...res.getHeaders() }]);
      return (kept.end as unknown as (...args: unknown[]) => unknown).apply(res, args);
    };
  },
  'log4js: a replaced writeHead puts the original back, calls it and keeps what it was given': ({ res, log }) => {
    const own = res as unknown as { __statusCode: unknown; __headers: unknown };
    const { writeHead } = res;
    res.writeHead = ((status: number, fields?: Record<string, string>) => {
      res.writeHead = writeHead;
      res.writeHead(status, fields);
      own.__statusCode = status;
      own.__headers = fields ?? {};
      return res;
    }) as typeof writeHead;
    for (const event of ['end', 'finish', 'error', 'close']) {
      res.on(event, () => log('habit', event, [own.__statusCode, own.__headers, res.statusCode]));
    }
  },
  'connect-datadog, Google trace agent: a replaced end puts the original back and reads what it left': ({
    res,
    log,
  }) => {
    const { end } = res;
    res.end = function (this: http.ServerResponse, ...args: unknown[]) {
      res.end = end;
      const returned = Reflect.apply(end, this, args) as http.ServerResponse;
      log('habit', 'end', [returned === res, res.statusCode, res.getHeader('content-length'), res.writableEnded]);
      return returned;
    } as typeof end;
  },
  'route-cache: end and write join what was given, and a head is made when there is none': ({ res, log }) => {
    const parts: unknown[] = [];
    const { write, end } = res;
    res.write = ((chunk: unknown) => parts.push(chunk) > 0) as typeof write;
    res.end = ((chunk?: unknown) => {
      if (chunk !== undefined) parts.push(chunk);
      res.write = write;
      res.end = end;
      const joined = parts.map(String).join('');
      log('habit', 'kept', [joined, res.getHeaders(), res.headersSent]);
      return res.end(joined);
    }) as typeof end;
  },
  'express-openid-connect: an end that waits for a promise': ({ res }) => {
    wrap(res, 'end', (original, args) => {
      void Promise.resolve().then(() => {
        if (!res.headersSent) res.setHeader('Set-Cookie', 'late=1');
        original(...args);
      });
      return res;
    });
  },
  'express-winston, bunyan, pino: what is logged of a response when it is finished': ({ res, log }) => {
    res.on('finish', () => {
      const { _header: head, _contentLength: length, _hasBody: has, statusMessage } = res;
      log('habit', 'finish', [head?.replace(/Date: .*\r\n/, ''), length, has, statusMessage, { ...res.getHeaders() }]);
    });
  },
  'swagger-stats: _contentLength, where there is one': ({ res, log }) => {
    res.once('finish', () => log('habit', 'length', '_contentLength' in res && res._contentLength));
  },
  'errsole: looks which listeners a response has': ({ res, log }) => {
    log('habit', 'listeners', [typeof res._events['finish'], typeof res._events['close'], res._eventsCount]);
  },
  'old loggers: _headers and _headerNames': ({ res, log }) => {
    res.setHeader('X-One', '1');
    log('habit', 'names', [Object.keys(res._headers ?? {}), Object.keys(res._headerNames ?? {})]);
  },
  'old middleware: fields are written to _headers': ({ res, log }) => {
    res.setHeader('X-One', '1');
    if (res._headers !== undefined) res._headers = { 'x-two': '2' };
    log('habit', 'names', res.getHeaderNames());
  },
  'express-ws, faye-websocket: _header is emptied': ({ res, log }) => {
    log('habit', 'head', res._header);
    res._header = null;
  },
  'domains and error handlers: is the head sent, by each of its names': ({ res, log }) => {
    const states = (when: string): void =>
      log('habit', when, [res.headersSent, res._header !== null, res._headerSent, res.finished, res._closed]);
    states('before');
    res.on('finish', () => states('finish'));
    res.on('close', () => states('close'));
  },
  'streaming helpers: outputData and outputSize': ({ res, log }) => {
    log('habit', 'before', [res.outputSize, res.outputData.length, res.output]);
    return (answer) => {
      answer();
      log('habit', 'after', [res.outputSize, res.outputData.length]);
    };
  },
  'keep-alive helpers: shouldKeepAlive, _last and _keepAliveTimeout': ({ res, log }) => {
    log('habit', 'before', [res.shouldKeepAlive, res._last, res._keepAliveTimeout, res._defaultKeepAlive]);
    res.shouldKeepAlive = false;
    return (answer) => {
      answer();
      log('habit', 'after', [res.shouldKeepAlive, res._last]);
    };
  },
  'sse helpers: a chosen _keepAliveTimeout is announced': ({ res }) => {
    res._keepAliveTimeout = 12_000;
  },
  'proxies: useChunkedEncodingByDefault and sendDate are switched off': ({ res }) => {
    res.useChunkedEncodingByDefault = false;
    res.sendDate = false;
  },
  'proxies: _removedHeader': ({ res, log }) => {
    res.removeHeader('Date');
    res.removeHeader('Connection');
    log('habit', 'removed', res._removedHeader);
  },
  '100-continue helpers: _expect_continue and _sent100': ({ res, log }) => {
    log('habit', 'continue', [res._expect_continue, res._sent100]);
  },
  'trailers: _trailer': ({ res, log }) => {
    log('habit', 'trailer', res._trailer);
    res.on('finish', () => log('habit', 'trailer', res._trailer));
  },
  'old compression: the head is made and sent by _implicitHeader and _send': ({ res }) => {
    res._implicitHeader();
    res._send('', 'latin1');
  },
  'on-finished: its listener is kept on the response': ({ res, log }) => {
    res.__onFinished = null;
    log('habit', 'socket', [res.socket === null, res.connection === res.socket, res.socket?.writable, res.writable]);
    res.on('close', () => log('habit', 'closed', [res.__onFinished, res.socket === null, res.connection === null]));
  },
  'http-terminator, stoppable: the response of a socket': ({ req, res, log }) => {
    const of = (): unknown => {
      const { _httpMessage: answering } = req.socket as unknown as { _httpMessage: unknown };
      return [answering === res, answering === null];
    };
    log('habit', 'answering', of());
    if (!res.headersSent) res.setHeader('Connection', 'close');
    res.on('finish', () => log('habit', 'finish', of()));
    res.on('close', () => log('habit', 'close', of()));
  },
  'mocks and hijackers: _httpMessage answers for its request': ({ req, log }) => {
    const { _httpMessage: answering } = req.socket as unknown as { _httpMessage: http.ServerResponse };
    answering.setHeader('X-By', 'socket');
    log('habit', 'its request', answering.req === req);
  },
  'swagger-stats: octets that the socket has written before and behind an answer': ({ req, res, log }) => {
    // The Date in the head has the same length every day.
    const written = (when: string) => (): void => log('habit', when, req.socket.bytesWritten);
    written('before')();
    res.on('finish', written('finish'));
    res.on('close', written('close'));
  },
  'http-shutdown: whether a connection is idle is kept on its socket': ({ req, res, log }) => {
    const socket = req.socket as Socket & { _isIdle?: boolean; _connectionId?: number; server?: unknown };
    log('habit', 'socket', [socket._isIdle, socket._connectionId, socket.server instanceof http.Server]);
    socket._isIdle = false;
    socket._connectionId = 1;
    res.on('finish', () => {
      log('habit', 'finish', [socket._isIdle, socket._connectionId]);
      socket._isIdle = true;
    });
  },
  'union, http-server: _renderHeaders and _headers are taken over': ({ res, log }) => {
    const holder = res as unknown as { _renderHeaders(): unknown; _headers: unknown };
    const original = holder._renderHeaders;
    holder._renderHeaders = function (this: unknown) {
      log('habit', 'rendered');
      return original.call(this);
    };
    log('habit', 'fields', [res.getHeaders(), res.writable, res._header]);
    res.setHeader('X-Own', '1');
    log('habit', 'renders', holder._renderHeaders());
  },
  // Without that call the symbol is not there: docs/compat has a row.
  "setheader, behind node's own getHeaders(): a field is made constant in node's table of fields": ({ res, log }) => {
    http.OutgoingMessage.prototype.getHeaders.call(res);
    res.setHeader('X-Kept', '1');
    const symbol = Object.getOwnPropertySymbols(res).find(({ description }) => description === 'kOutHeaders')!;
    const fields = (res as unknown as Record<symbol, object>)[symbol];
    const kept = { configurable: false, enumerable: true, get: () => ['x-kept', '1'], set: () => undefined };
    Object.defineProperty(fields, 'x-kept', kept);
    res.setHeader('X-Kept', '2');
    log('habit', 'kept', [res.getHeader('x-kept'), res.getHeaders()]);
  },
  'harmon, express-minify: a length that was set is taken away by the head, and the body is written anew': ({
    res,
  }) => {
    const kept: unknown[] = [];
    let ended = false;
    wrap(res, 'writeHead', (original, args) => {
      res.removeHeader('Content-Length');
      const [status, fields] = args as [number, Record<string, unknown> | undefined];
      const left = Object.entries(fields ?? {}).filter(([name]) => name.toLowerCase() !== 'content-length');
      return original(status, Object.fromEntries(left));
    });
    const add = (chunk: unknown): void => {
      if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) kept.push(Buffer.from(chunk as string));
    };
    wrap(res, 'write', (_, [chunk]) => {
      add(chunk);
      return true;
    });
    wrap(res, 'end', (original, [chunk]) => {
      if (ended) return original();
      ended = true;
      add(chunk);
      setImmediate(() => original(Buffer.concat([Buffer.from('new '), ...(kept as Buffer[])])));
      return res;
    });
  },
  'next: setHeader is replaced by one that is silent once the head is sent': ({ res }) => {
    wrap(res, 'setHeader', (original, args) => (res.headersSent ? res : original(...args)));
    return (answer) => {
      answer();
      res.setHeader('X-Late', '1');
    };
  },
  'h3, vite: statusCode and statusMessage become accessors of the response': ({ res, log }) => {
    let status = res.statusCode;
    Object.defineProperty(res, 'statusCode', {
      configurable: true,
      get: () => status,
      set: (value: number) => {
        log('habit', 'status', value);
        status = value;
      },
    });
  },
  'webpack-hot-middleware: the socket is kept alive before a head that is written at once': ({ req, res }) => {
    req.socket.setKeepAlive(true);
    req.socket.setNoDelay(true);
    req.socket.setTimeout(0);
    res.write('\n');
  },
  'agents: the response is emitted to by the program': ({ res, log }) => {
    res.on('pipe', () => log('habit', 'pipe'));
    res.on('unpipe', () => log('habit', 'unpipe'));
    res.on('header', () => log('habit', 'header'));
    res.emit('header');
  },
  'emitter-listener: on, addListener and emit are own properties of the response': ({ res, log }) => {
    for (const name of ['on', 'addListener', 'emit'])
      wrap(res, name, (original, args) => {
        if (['finish', 'close', 'prefinish', 'socket'].includes(args[0] as string)) log('habit', name, args[0]);
        return original(...args);
      });
    res.on('finish', () => undefined);
  },
  'a property is looked for in all keys of the response': ({ res, log }) => {
    const names: string[] = [];
    for (const name in res) names.push(name);
    const mine = new Set([
      '_header',
      'statusCode',
      'end',
      'write',
      'writeHead',
      'req',
      'locals',
      'finished',
      'sendDate',
    ]);
    log('habit', 'names', names.filter((name) => mine.has(name)).sort());
  },
};

const onRequests: Record<string, Habit> = {
  'raw-body, multiparty: the state of the stream is looked at': ({ req, log }) => {
    const { encoding, ended, endEmitted, flowing } = req._readableState;
    log('habit', 'state', [encoding, ended, endEmitted, flowing]);
  },
  'proxies: readableLength, readableFlowing and readableEnded': ({ req, log }) => {
    log('habit', 'state', [req.readableFlowing, req.readableEnded, req.readable, req.readableDidRead, req.destroyed]);
  },
  'body-parser, connect-multiparty: _body and _parsedUrl': ({ req, log }) => {
    log('habit', 'before', [req._body, req._parsedUrl]);
    req._body = true;
    req._parsedUrl = { href: req.url };
    log('habit', 'after', [req._body, Object.keys(req).includes('_body')]);
  },
  'proxies: connection, client and socket are one': ({ req, log }) => {
    log('habit', 'same', [req.connection === req.socket, req.client === req.socket]);
    log('habit', 'of it', [
      typeof req.connection.remoteAddress,
      'encrypted' in req.connection,
      req.connection.destroyed,
    ]);
  },
  'swagger-stats, old loggers: what a request has beside its fields': ({ req, log }) => {
    log('habit', 'state', [req._dumped, req._consuming, req.complete, req.aborted, req.upgrade, req.httpVersionMajor]);
  },
  'passport, legacy sessions: methods that were added to the prototype': ({ req, log }) => {
    const prototype = http.IncomingMessage.prototype as unknown as Loose;
    prototype['isKnown'] = function (this: http.IncomingMessage): string {
      return `known ${this.method}`;
    };
    log('habit', 'method', (req as unknown as Loose)['isKnown']());
    delete prototype['isKnown'];
  },
  'fileupload, busboy: pipe, unpipe and resume': ({ req, log }) => {
    const into = new Writable({ write: (_data, _encoding, done) => done() });
    into.on('finish', () => log('habit', 'piped'));
    req.pipe(into);
    req.unpipe(into);
    req.resume();
  },
  'multer: what is left is read off by readable and read()': ({ req, log }) => {
    req.on('readable', () => {
      while (req.read() !== null);
    });
    req.on('end', () => log('habit', 'end', req.complete));
  },
  'cls-hooked: listeners of the request are wrapped in place': ({ req, log }) => {
    req.on('end', () => log('habit', 'end'));
    const { _events: events } = req;
    const original = events['end'] as ((...args: unknown[]) => void) | ((...args: unknown[]) => void)[];
    const all = Array.isArray(original) ? original : [original];
    events['end'] = all.map(
      (listener) =>
        function (this: EventEmitter, ...args: unknown[]): void {
          log('habit', 'wrapped');
          listener.apply(this, args);
        },
    );
    req.resume();
  },
  'emitter-listener: on and emit are own properties of the request': ({ req, res, log }) => {
    for (const name of ['on', 'addListener', 'emit'])
      wrap(req, name, (original, args) => {
        // After the answer node adds a listener for the end of the rest of the body; the engine needs no such listener.
        if (['end', 'close'].includes(args[0] as string) && !res.writableFinished) log('habit', name, args[0]);
        return original(...args);
      });
    req.on('end', () => undefined);
    req.resume();
  },
  'hpp, rewriters: url, method and headers are replaced': ({ req, log }) => {
    req.url = '/rewritten';
    req.method = 'PUT';
    req.headers = { ...req.headers, 'x-added': '1' };
    log('habit', 'now', [req.url, req.method, req.headers['x-added'], req.rawHeaders.length > 0]);
  },
  'proxies: rawHeaders are changed in place': ({ req, log }) => {
    req.rawHeaders.push('X-Added', '1');
    log('habit', 'now', [req.rawHeaders.slice(-2), req.headers['x-added']]);
  },
  'method-override, proxies: fields are deleted and read again': ({ req, log }) => {
    delete req.headers.host;
    log('habit', 'now', [req.headers.host, req.headersDistinct['host'], req.rawHeaders.slice(0, 2)]);
  },
  'connect-timeout, agents: setTimeout of the request': ({ req, log }) => {
    log('habit', 'itself', req.setTimeout(60_000, () => undefined) === req);
  },
  'express-domain-middleware: extended by a symbol and a getter': ({ req, log }) => {
    Object.defineProperty(req, 'user', { configurable: true, get: () => 'u' });
    log('habit', 'user', (req as unknown as { user: string }).user);
  },
  'loggers: a copy of the request by its keys': ({ req, log }) => {
    const { method, url, httpVersion, complete } = Object.assign({}, req) as http.IncomingMessage;
    log('habit', 'copy', [method, url, httpVersion, complete]);
  },
};

const answers: Record<string, (res: http.ServerResponse) => void> = {
  'end(text)': (res) => res.end('answer'),
  'a length and end(Buffer)': (res) => {
    res.setHeader('Content-Length', 6);
    res.end(Buffer.from('answer'));
  },
  'writeHead with fields and end()': (res) => {
    res.writeHead(404, 'Gone Away', { 'X-Own': 'yes', 'Content-Type': 'text/plain' });
    res.end('none');
  },
  'two parts': (res) => {
    res.write('one ');
    res.end('two');
  },
  '204 without a body': (res) => {
    res.statusCode = 204;
    res.end();
  },
};

const requests = {
  'a request without a body': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'a request with a body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody',
};

const handlerOf =
  (habit: Habit, answer: (res: http.ServerResponse) => void): Handler =>
  (req, res, log) => {
    const around = habit({ req, res, log } as Turn);
    const give = (): void => {
      try {
        answer(res);
      } catch (error) {
        log('answer', 'threw', (error as NodeJS.ErrnoException).code);
        res.end();
      }
    };
    if (typeof around === 'function') around(give);
    else give();
  };

const habits = Object.entries({ ...onResponses, ...onRequests }).flatMap(([name, habit]) =>
  Object.entries(answers).flatMap(([how, answer]) =>
    Object.entries(requests).map(([what, send]): Scenario => ({
      name: `${name}; ${what}, answered by ${how}`,
      send,
      handler: handlerOf(habit, answer),
    })),
  ),
);

const UPGRADE = 'GET /up HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';

/** Packages that route an upgrade through the application create a response for it. */
const upgrades: Scenario[] = Object.entries({
  'with a socket': (res: http.ServerResponse, socket: Socket) => res.assignSocket(socket),
  'without a socket': () => undefined,
}).flatMap(([how, prepare]) =>
  Object.entries(answers).map(([by, answer]): Scenario => ({
    name: `express-ws, sockjs: a response created ${how} for an upgrade answers it by ${by}`,
    send: UPGRADE,
    answers: 0,
    then: 'wait',
    setup: (server, log) => {
      server.on('upgrade', (req, socket: Socket) => {
        const res = new http.ServerResponse(req);
        prepare(res, socket);
        res.on('finish', () => log('res', 'finish'));
        answer(res);
        log('res', 'state', [
          res.headersSent,
          res.writableEnded,
          (res as unknown as Inside).outputSize > 0,
          req.headers.upgrade,
          req.complete,
        ]);
        socket.end();
      });
    },
  })),
);

interface Handle {
  onread: ((...args: unknown[]) => unknown) | undefined;
}

/** What packages do to a server and to its new connections. */
const onServers: Record<string, NonNullable<Scenario['setup']>> = {
  'newrelic: onread of the handle is wrapped by a replaced emit': (server, log) => {
    const { emit } = server;
    server.emit = function (this: http.Server, event: string, ...args: unknown[]) {
      const handle = (args[0] as { _handle?: Handle } | undefined)?._handle;
      if (event === 'connection' && handle?.onread !== undefined) {
        const { onread } = handle;
        handle.onread = function (...given) {
          return Reflect.apply(onread, this, given);
        };
        log('habit', 'wrapped');
      }
      return Reflect.apply(emit, this, [event, ...args]) as boolean;
    };
  },
  'primus: the listeners are taken away and called by one of its own': (server, log) => {
    const before = server.listeners('request') as http.RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (req: http.IncomingMessage, res: http.ServerResponse) => {
      log('habit', 'request', [req.url, before.length]);
      for (const listener of before) Reflect.apply(listener, server, [req, res]);
    });
  },
  'applicationinsights, newrelic: emit of the server is replaced while a connection is open': (server, log) => {
    server.once('request', () => {
      const { emit } = server;
      server.emit = function (this: http.Server, event: string, ...args: unknown[]) {
        // The server closes after the play.
        if (event !== 'close') log('habit', 'emit', event);
        return Reflect.apply(emit, this, [event, ...args]) as boolean;
      };
    });
  },
};

const servers: Scenario[] = Object.entries(onServers).flatMap(([name, habit]) =>
  Object.entries(answers).map(([how, answer]): Scenario => ({
    name: `${name}, answered by ${how}`,
    send: requests['a request with a body'],
    setup: habit,
    handler: (_req, res) => answer(res),
  })),
);

/** As serverless adapters do: a request and a response without a connection. */
function withoutConnection(log: Log, answer: (res: http.ServerResponse) => void): void {
  const req = new http.IncomingMessage({ readable: false, remoteAddress: '1.2.3.4' } as unknown as Socket);
  Object.assign(req, { method: 'GET', url: '/', headers: { host: 'a' }, httpVersion: '1.1', complete: true });
  req._read = () => {
    req.push('given');
    req.push(null);
  };
  const res = new http.ServerResponse(req);
  const written: string[] = [];
  const socket = new Writable({ write: (data, _encoding, done) => (written.push(String(data)), done()) });
  res.assignSocket(socket as unknown as Socket);
  res.on('finish', () => log('made', 'finish', [written.join('').replace(/Date: .*\r\n/, ''), res.statusCode]));
  req.on('data', (data) => log('made', 'data', String(data)));
  req.on('end', () => log('made', 'end', [req.headers, req.complete]));
  answer(res);
}

const made: Scenario[] = Object.entries(answers).map(([how, answer]): Scenario => ({
  name: `serverless adapters: messages that a program makes beside those of a server, answered by ${how}`,
  send: requests['a request without a body'],
  handler: (_req, res, log) => {
    withoutConnection(log, answer);
    setImmediate(() => res.end('served'));
  },
}));

eachSameThroughBothDoors([...habits, ...upgrades, ...servers, ...made]);
