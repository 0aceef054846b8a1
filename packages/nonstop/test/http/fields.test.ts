import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

const get = (...lines: readonly string[]): string => ['GET / HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n');

/** Everything that a handler can read about a request's fields. */
const readAll: Scenario['handler'] = (req, res, log) => {
  log('fields', 'rawHeaders', req.rawHeaders);
  log('fields', 'headers', { ...req.headers });
  log('fields', 'order', Object.keys(req.headers));
  log('fields', 'headersDistinct', { ...req.headersDistinct });
  log('fields', 'prototype', Object.getPrototypeOf(req.headers) === Object.prototype);
  log('fields', 'distinct prototype', Object.getPrototypeOf(req.headersDistinct) === null);
  res.end('ok');
};

const singular = [
  'Content-Type',
  'Age',
  'Authorization',
  'ETag',
  'Expires',
  'From',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Last-Modified',
  'Location',
  'Max-Forwards',
  'Proxy-Authorization',
  'Referer',
  'Retry-After',
  'Server',
  'User-Agent',
];

const repeated: Scenario[] = [
  ...singular,
  'Accept',
  'Cookie',
  'Set-Cookie',
  'X-Own',
  'Forwarded',
  'Via',
  'Date',
  'Upgrade-Insecure-Requests',
  'Sec-WebSocket-Protocol',
].map((name) => ({
  name: `${name} sent twice is joined or dropped as node does it`,
  send: get(`${name}: one`, `X-Between: 1`, `${name.toLowerCase()}: two`),
  handler: readAll,
}));

const lists: readonly (readonly [name: string, ...lines: string[]])[] = [
  ['no field but Host'],
  ['a field with an empty value', 'X-Empty:'],
  ['a field of blanks', 'X-Blank:   \t  '],
  ['blanks around a value', 'X-Trim: \t a b \t '],
  ['no blank after the colon', 'X-Tight:value'],
  ['colons in a value', 'X-Colon: a:b::c'],
  ['every token character in a name', "!#$%&'*+-.^_`|~09azAZ: x"],
  ['latin1 bytes in a value', 'X-Latin: caf\xe9 \xff\x80'],
  ['UTF-8 bytes in a value', 'X-Utf: \xc3\xa9\xe2\x82\xac'],
  ['a tab inside a value', 'X-Tab: a\tb'],
  ['quotes and commas', 'X-List: "a, b", c;q="\\"x"'],
  ['the name __proto__', '__proto__: polluted', '__PROTO__: twice'],
  [
    'names of Object.prototype',
    'constructor: 1',
    'hasOwnProperty: 2',
    'toString: 3',
    'valueOf: 4',
    '__defineGetter__: 5',
  ],
  ['three cookies', 'Cookie: a=1', 'Cookie: b=2', 'Cookie: c=3'],
  ['set-cookie in a request', 'Set-Cookie: a=1', 'Set-Cookie: b=2'],
  ['numbers for names', '1: one', '2: two', '10: ten', '0: zero'],
  ['two hosts', 'Host: b'],
  ['an empty host twice', 'Host:', 'HOST: c'],
  ['a hop field named by Connection', 'Connection: X-Hop, keep-alive', 'X-Hop: 1'],
  ['upper case throughout', 'ACCEPT-ENCODING: GZIP'],
  ['a value of a thousand bytes', `X-Long: ${'v'.repeat(1000)}`],
  ['a name of two hundred bytes', `${'n'.repeat(200)}: v`],
];

const understood: Scenario[] = lists.map(([name, ...lines]) => ({
  name: `${name}: the handler sees the same fields`,
  send: get(...lines),
  handler: readAll,
  check: ({ events }) => assert.ok('fields' in events, 'the handler was called'),
}));

const replacing: Scenario[] = ['1.0', '1.1'].map((version) => ({
  name: `rawHeaders of a request of HTTP/${version} that are replaced in front of the first use of headers`,
  send: `GET / HTTP/${version}\r\nHost: a\r\nX-Old: 1\r\n\r\n`,
  answers: 0,
  then: 'finish',
  handler: (req, res, log) => {
    // As many as before: node keeps the number, and throws where there are fewer.
    req.rawHeaders = ['X-New', '1', 'X-More', '2'];
    readAll(req, res, log);
  },
}));

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `X-${i}: ${i}`);
const manyFields: Scenario['handler'] = (req, res, log) => {
  log('fields', 'count', [req.rawHeaders.length, Object.keys(req.headers).length, req.rawHeaders.slice(-2)]);
  res.end('ok');
};

const trailers = (count: number): string =>
  [
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0',
    ...numbered(count),
    '\r\n',
  ].join('\r\n');
const manyTrailers: Scenario['handler'] = (req, res, log) => {
  req.resume().on('end', () => {
    log('trailers', 'is one object', [req.trailers === req.trailers, req.trailersDistinct === req.trailersDistinct]);
    log('trailers', 'count', [req.rawTrailers.length, Object.keys(req.trailers).length, req.rawTrailers.slice(-2)]);
    res.end('ok');
  });
};

const limits: Scenario[] = [
  ...[1_000, 1_150].map((count): Scenario => ({
    name: `of ${count} trailers as many are seen as node keeps`,
    send: trailers(count),
    handler: manyTrailers,
    then: 'wait',
    answers: 0,
  })),
  ...[0, 1, 31, 32, 40, 62].map((max): Scenario => ({
    name: `maxHeadersCount ${max} keeps the first trailers`,
    setup: (server) => {
      server.maxHeadersCount = max;
    },
    send: trailers(70),
    handler: manyTrailers,
    then: 'wait',
    answers: 0,
  })),
  ...[undefined, false, true].map((joinDuplicateHeaders): Scenario => ({
    name: `req.joinDuplicateHeaders where the server's is ${joinDuplicateHeaders}`,
    options: joinDuplicateHeaders === undefined ? {} : { joinDuplicateHeaders },
    send: get(),
    handler: (req, res, log) => {
      log('fields', 'joinDuplicateHeaders', [(req as { joinDuplicateHeaders?: unknown }).joinDuplicateHeaders]);
      res.end('ok');
    },
  })),
  { name: 'as many fields as node takes by default are seen', send: get(...numbered(1_000)), handler: manyFields },
  { name: 'fields past the default maxHeadersCount are dropped', send: get(...numbered(1_150)), handler: manyFields },
  ...['Host: a', 'Expect: 100-continue'].map((last): Scenario => ({
    name: `${last} behind 1,000 other lines`,
    send: [
      'GET / HTTP/1.1',
      ...(last.startsWith('Host') ? [] : ['Host: a']),
      ...Array<string>(1_000).fill('a:'),
      last,
      '',
      '',
    ].join('\r\n'),
    handler: manyFields,
  })),
  {
    name: 'fields past the limit of 2000 are dropped',
    options: { maxHeaderSize: 80_000 },
    send: get(...numbered(2_100)),
    handler: manyFields,
  },
  ...[1, 2, 5, 32, 33, 40, 64]
    .map((max): Scenario => ({
      name: `maxHeadersCount ${max} keeps the first fields`,
      setup: (server) => {
        server.maxHeadersCount = max;
      },
      send: get(...numbered(70)),
      handler: manyFields,
      then: 'wait',
      answers: 0,
    }))
    .map(({ send, ...scenario }): Scenario => ({
      ...scenario,
      send: (send as string).replace('Host: a', 'Host: a\r\nConnection: close'),
    })),
  ...[1.5, Number.POSITIVE_INFINITY, Number.NaN, -1, 2 ** 30 + 1].map((max): Scenario => ({
    name: `maxHeadersCount ${max} is the number that node makes of it`,
    setup: (server, log) => {
      server.maxHeadersCount = max;
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        socket.destroy();
      });
    },
    send: get('Connection: close', ...numbered(40)),
    handler: manyFields,
    then: 'wait',
    answers: 0,
  })),
  ...[1, 0].map((max): Scenario => ({
    name: `maxHeadersCount ${max}, written while a connection is open, counts for later connections`,
    setup: (server) => {
      server.maxHeadersCount = 3;
    },
    talk: async (client, { server }) => {
      for (const count of [2, 2, 3]) {
        await client.send(get(...numbered(count)));
        await client.answer();
        server.maxHeadersCount = max;
      }
    },
    handler: (req, res, log) => {
      const { rawHeaders, headers } = req;
      log('req', 'fields', [req.headers, req.rawHeaders, rawHeaders.length, headers === req.headers]);
      res.end('ok');
    },
  })),
  {
    name: 'maxHeadersCount 0 means no limit',
    options: { maxHeaderSize: 80_000 },
    setup: (server) => {
      server.maxHeadersCount = 0;
    },
    send: get(...numbered(2_500)),
    handler: manyFields,
  },
  {
    name: 'joinDuplicateHeaders joins fields that are single otherwise',
    options: { joinDuplicateHeaders: true },
    send: get(
      'Content-Type: a',
      'Content-Type: b',
      'Authorization: x',
      'Authorization: y',
      'Set-Cookie: 1',
      'Set-Cookie: 2',
      'Cookie: 1',
      'Cookie: 2',
    ),
    handler: readAll,
  },
];

const lookups: Scenario[] = [
  {
    name: 'lists of fields that are set to nothing are made again',
    send: get('X-A: 1'),
    handler: (req, res) => {
      const seen = [0, '', false, Number.NaN, null, undefined].flatMap((nothing) =>
        (['headers', 'headersDistinct', 'trailers', 'trailersDistinct'] as const).map((name) => {
          req[name] = nothing as never;
          return req[name];
        }),
      );
      res.end(JSON.stringify(seen));
    },
  },
  {
    name: 'headers can be replaced by the handler',
    send: get('X-A: 1'),
    handler: (req, res, log) => {
      req.headers = { own: 'yes' };
      req.headers['x-more'] = '1';
      log('fields', 'replaced', { ...req.headers });
      delete req.headers['own'];
      log('fields', 'deleted', Object.keys(req.headers));
      res.end();
    },
  },
  {
    name: 'a change to headers stays and does not change rawHeaders',
    send: get('X-A: 1'),
    handler: (req, res, log) => {
      req.headers['x-a'] = '2';
      req.headers['x-b'] = '3';
      log('fields', 'all', [req.headers, req.rawHeaders, 'x-a' in req.headers, req.headers === req.headers]);
      res.end();
    },
  },
  {
    name: 'a change to rawHeaders before headers is read shows in headers',
    send: get('X-A: 1'),
    handler: (req, res, log) => {
      req.rawHeaders.push('X-Pushed', 'p');
      log('fields', 'raw', req.rawHeaders);
      log('fields', 'headers', { ...req.headers });
      res.end();
    },
  },
  {
    name: 'the request has the properties of the connection',
    send: get(),
    handler: (req, res, log) => {
      log('req', 'facts', [
        req.httpVersion,
        req.httpVersionMajor,
        req.httpVersionMinor,
        req.statusCode,
        req.statusMessage,
        req.aborted,
        req.complete,
      ]);
      log('req', 'socket', [req.socket === res.socket, req.connection === req.socket, req.socket.remoteAddress]);
      res.end();
    },
  },
];

eachSameThroughBothDoors([...understood, ...repeated, ...limits, ...lookups, ...replacing]);
