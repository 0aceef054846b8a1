import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, watch, type Handler, type Scenario } from '../support/both-doors.js';

const ways: readonly (readonly [name: string, handler: Handler])[] = [
  ['end() alone', (_req, res) => res.end()],
  ['end(body)', (_req, res) => res.end('body')],
  [
    'write and end',
    (_req, res) => {
      res.write('bo');
      res.end('dy');
    },
  ],
  [
    'a Content-Length',
    (_req, res) => {
      res.setHeader('Content-Length', 4);
      res.end('body');
    },
  ],
  [
    'a Content-Length and no body',
    (_req, res) => {
      res.setHeader('Content-Length', 4);
      res.end();
    },
  ],
  [
    'a Transfer-Encoding',
    (_req, res) => {
      res.setHeader('Transfer-Encoding', 'chunked');
      res.end('body');
    },
  ],
  [
    'flushHeaders first',
    (_req, res) => {
      res.flushHeaders();
      res.end('body');
    },
  ],
  [
    'trailers',
    (_req, res) => {
      res.setHeader('Trailer', 'X-T');
      res.write('body');
      res.addTrailers({ 'X-T': '1' });
      res.end();
    },
  ],
];

const statuses = [
  100, 101, 102, 103, 150, 199, 200, 201, 203, 204, 205, 206, 300, 304, 400, 404, 418, 500, 599, 600, 799, 999,
];
const kinds: readonly (readonly [method: string, status: number])[] = [
  ...['HEAD', 'GET', 'POST'].flatMap((method) => [200, 204, 304].map((status): [string, number] => [method, status])),
  ['HEAD', 404],
  ['GET', 205],
  ['OPTIONS', 200],
];

// A body on the wire where none is allowed would corrupt the next answer on the connection.
const bodiless: Scenario[] = kinds.flatMap(([method, status]) =>
  ways.map(([name, handler]) => ({
    name: `${method} answered ${status} with ${name}`,
    send: `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`,
    answers: 0,
    then: 'finish',
    handler: (req, res, log) => {
      res.statusCode = status;
      watch(req, res, log);
      handler(req, res, log);
    },
  })),
);

const reasons: Scenario[] = statuses.map((status) => ({
  name: `the status line of ${status}`,
  send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  answers: 0,
  then: 'finish',
  handler: (_req, res) => {
    res.statusCode = status;
    res.end('x');
  },
}));

const rejection: Scenario = {
  name: 'rejectNonStandardBodyWrites throws where a body is not allowed',
  options: { rejectNonStandardBodyWrites: true },
  send: 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
  methods: ['HEAD'],
  handler: (_req, res, log) => {
    assert.throws(
      () => res.write('body'),
      (error: NodeJS.ErrnoException) => {
        log('res', 'thrown', error.code);
        return true;
      },
    );
    res.end();
  },
};

eachSameThroughBothDoors([...bodiless, ...reasons, rejection]);
