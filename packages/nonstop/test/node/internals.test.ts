import http = require('node:http');
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { eachSameThroughBothDoors, type Handler, type Log, type Scenario } from '../support/both-doors.js';

const get = 'GET /inner?x=1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** Members that node does not document but packages read. */
interface Inner {
  _header: string | null;
  _headerSent: boolean;
  _sent100: boolean;
  _expect_continue: boolean;
  _hasBody: boolean;
  _trailer: string;
  _contentLength: number | null;
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  _last: boolean;
  _closed: boolean;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket: number;
  _defaultKeepAlive: boolean;
  outputData: unknown[];
  outputSize: number;
  detachSocket(socket: Socket): void;
  assignSocket(socket: Socket): void;
}
const inner = (res: http.ServerResponse): Inner => res as unknown as Inner;
const holder = (socket: Socket | null): unknown =>
  (socket as unknown as { _httpMessage: unknown } | null)?._httpMessage;

const state = (res: http.ServerResponse): unknown => {
  const {
    _header,
    _headerSent,
    _sent100,
    _expect_continue,
    _hasBody,
    _trailer,
    _contentLength,
    _removedConnection,
    _removedContLen,
    _removedTE,
    _last,
    _keepAliveTimeout,
    _maxRequestsPerSocket,
    _defaultKeepAlive,
  } = inner(res);
  const masked = _header?.replace(/Date: [^\r]+/, 'Date: <now>');
  return {
    _header: masked,
    _headerSent,
    _sent100,
    _expect_continue,
    _hasBody,
    _trailer,
    _contentLength,
    _removedConnection,
    _removedContLen,
    _removedTE,
    _last,
    _keepAliveTimeout,
    _maxRequestsPerSocket,
    _defaultKeepAlive,
  };
};

const identities = (req: http.IncomingMessage, res: http.ServerResponse, log: Log): void => {
  log('identity', 'instanceof', [
    req instanceof http.IncomingMessage,
    res instanceof http.ServerResponse,
    res instanceof http.OutgoingMessage,
  ]);
  log('identity', 'constructors', [req.constructor.name, res.constructor.name]);
  log('identity', 'own keys', [
    Object.keys(req).includes('url'),
    Object.keys(req).includes('method'),
    Object.keys(req).includes('socket'),
  ]);
  log('identity', 'req of res', res.req === req);
  log('identity', 'holder', holder(req.socket) === res);
};

const looks: readonly (readonly [name: string, handler: Handler])[] = [
  [
    'identities',
    (req, res, log) => {
      identities(req, res, log);
      res.end();
    },
  ],
  [
    '_header on the way',
    (_req, res, log) => {
      log('res', 'fresh', state(res));
      res.setHeader('X-A', '1');
      res.writeHead(201);
      log('res', 'head written', state(res));
      res.write('x');
      log('res', 'body written', state(res));
      res.end();
      log('res', 'ended', state(res));
    },
  ],
  [
    '_header after end(body)',
    (_req, res, log) => {
      res.end('body');
      log('res', 'ended', state(res));
      res.on('finish', () => log('res', 'finish', state(res)));
      res.on('close', () => log('res', 'close', state(res)));
    },
  ],
  [
    'socket._httpMessage is given up',
    (req, res, log) => {
      const { socket } = req;
      res.on('finish', () =>
        log('res', 'finish', [holder(socket) === res, res.socket === null, req.socket === socket]),
      );
      res.on('close', () => log('res', 'close', [holder(socket) === res, res.socket === null]));
      res.end();
      log('res', 'ended', [holder(socket) === res, res.socket === socket]);
    },
  ],
  [
    'detachSocket and assignSocket to another response',
    (req, res, log) => {
      const { socket } = req;
      res.detachSocket(socket);
      log('res', 'detached', [holder(socket), res.socket]);
      const other = new http.ServerResponse(req);
      other.assignSocket(socket);
      log('other', 'assigned', [holder(socket) === other, other.socket === socket]);
      other.setHeader('Connection', 'close');
      other.end('from the other', () => socket.end());
    },
  ],
  [
    'assignSocket to a taken socket',
    (req, _res, log) => {
      try {
        new http.ServerResponse(req).assignSocket(req.socket);
      } catch (error) {
        log('other', 'thrown', (error as NodeJS.ErrnoException).code);
      }
      _res.end();
    },
  ],
  [
    'a ServerResponse of its own written elsewhere',
    (req, res, log) => {
      const own = new http.ServerResponse(req);
      const sink = new PassThrough();
      own.assignSocket(sink as unknown as Socket);
      const parts: Buffer[] = [];
      sink.on('data', (part: Buffer) => parts.push(part));
      own.on('finish', () => {
        log(
          'own',
          'bytes',
          Buffer.concat(parts)
            .toString()
            .replace(/Date: [^\r]+/, 'Date: <now>'),
        );
        res.end('done');
      });
      own.setHeader('X-Own', '1');
      own.end('own body');
    },
  ],
  [
    'writing to the socket directly',
    (req, res) => {
      req.socket.end('HTTP/1.1 200 By Hand\r\nConnection: close\r\n\r\nraw');
      void res;
    },
  ],
  [
    'listeners on the socket',
    (req, res, log) => {
      log('socket', 'identity', [
        req.socket === res.socket,
        req.connection === res.connection,
        req.socket.writable,
        req.socket.readable,
        req.socket.destroyed,
      ]);
      req.socket.once('close', () => log('socket', 'close'));
      res.end();
    },
  ],
  [
    'finished, connection and other aliases',
    (req, res, log) => {
      log('alias', 'before', [res.finished, res.connection === res.socket, req.connection === req.socket, req.aborted]);
      res.end();
      log('alias', 'after', [res.finished, res.writableEnded]);
    },
  ],
  [
    'errors of the stream kind',
    (req, res, log) => {
      log('stream', 'req', [
        req.readable,
        req.readableFlowing,
        req.readableEncoding,
        req.readableHighWaterMark > 0,
        req.readableObjectMode,
        req.readableLength,
        req.errored,
        req.closed,
      ]);
      log('stream', 'res', [
        res.writable,
        res.writableHighWaterMark > 0,
        res.writableLength,
        res.writableObjectMode,
        res.errored,
        res.closed,
      ]);
      res.end();
    },
  ],
];

const scenarios: Scenario[] = looks.map(([name, handler]) => ({
  name: `${name} are node's`,
  send: get,
  then: 'follow',
  handler,
}));

eachSameThroughBothDoors(scenarios);
