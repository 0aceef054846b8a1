import assert = require('node:assert/strict');
import type http = require('node:http');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

const post = (lines: readonly string[], body: string): string =>
  ['POST /b HTTP/1.1', 'Host: a', ...lines, '', body].join('\r\n');
const chunked = (body: string): string => post(['Transfer-Encoding: chunked'], body);
const big = 'x'.repeat(300_000);
const oneRequest: Scenario['check'] = ({ events }) => assert.equal(events['handler']?.length, 1);

const lengths: Scenario[] = [
  ['length 0', post(['Content-Length: 0'], '')],
  ['length 5', post(['Content-Length: 5'], 'hello')],
  ['a length with leading zeros', post(['Content-Length: 005'], 'hello')],
  ['blanks around the length', post(['Content-Length:   5  '], 'hello')],
  [
    'a body of every byte',
    post(['Content-Length: 256'], Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('')),
  ],
  ['a body that looks like a request', post(['Content-Length: 30'], 'GET /smuggled HTTP/1.1\r\n\r\n....')],
  ['no framing at all', post([], '')],
  ['a body of 300 kB', post([`Content-Length: ${big.length}`], big)],
].map(([name, send]) => ({ name: `a body with ${name} arrives whole`, send, check: oneRequest }));

lengths.push({
  name: 'tabs around the length have the same result',
  send: post(['Content-Length: \t5\t'], 'hello'),
  answers: 0,
  then: 'finish',
});

const chunks: readonly (readonly [name: string, body: string])[] = [
  ['no chunk', '0\r\n\r\n'],
  ['one chunk', '5\r\nhello\r\n0\r\n\r\n'],
  ['three chunks', '1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n'],
  ['sizes in upper case', 'A\r\n0123456789\r\n0\r\n\r\n'],
  ['sizes in lower case', 'a\r\n0123456789\r\n0\r\n\r\n'],
  ['sizes with leading zeros', '0005\r\nhello\r\n000\r\n\r\n'],
  ['an extension', '5;name=value\r\nhello\r\n0;last\r\n\r\n'],
  ['a quoted extension', '5;name="va;l\\"ue"\r\nhello\r\n0\r\n\r\n'],
  ['an extension without a value', '5;a;b;c\r\nhello\r\n0\r\n\r\n'],
  ['chunk data of newlines', '4\r\n\r\n\r\n\r\n0\r\n\r\n'],
  ['a big chunk', `${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`],
  ['a hundred chunks', `${'3\r\nabc\r\n'.repeat(100)}0\r\n\r\n`],
  ['an extension of a thousand bytes', `5;${'e'.repeat(1000)}\r\nhello\r\n0\r\n\r\n`],
];

const chunkedBodies: Scenario[] = chunks.flatMap(([name, body]) => [
  { name: `a chunked body with ${name} arrives whole`, send: chunked(body), check: oneRequest },
  ...(body.length < 100
    ? [{ name: `a chunked body with ${name} arrives whole byte by byte`, send: [...chunked(body)], check: oneRequest }]
    : []),
]);

const trailers: Scenario[] = [
  ['one trailer', 'X-Sum: 1\r\n'],
  ['repeated trailers', 'X-Sum: 1\r\nx-sum: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n'],
  ['a framing field among the trailers', 'Content-Length: 99\r\nHost: evil\r\n'],
  ['a trailer called __proto__', '__proto__: x\r\n'],
  ['an empty trailer', 'X-Empty:\r\n'],
  ['Transfer-Encoding among the trailers', 'Transfer-Encoding: chunked\r\n'],
  ['Connection: close among the trailers', 'Connection: close\r\n'],
].map(([name, fields]) => ({
  name: `${name} is read after the body`,
  send: post(['Transfer-Encoding: chunked', 'Trailer: X-Sum'], `3\r\nabc\r\n0\r\n${fields}\r\n`),
}));

trailers.push({
  name: 'trailersDistinct keeps every value',
  send: chunked('0\r\nA: 1\r\na: 2\r\nB: 3\r\n\r\n'),
  handler: (req, res, log) => {
    req.resume().on('end', () => {
      log('req', 'trailersDistinct', { ...req.trailersDistinct });
      log('req', 'trailers', { ...req.trailers });
      log('req', 'rawTrailers', req.rawTrailers);
      res.end();
    });
    log('req', 'before', [req.rawTrailers.length, { ...req.trailers }, req.complete]);
  },
});

trailers.push({
  name: 'trailers and fields are one object each, which keep additions of a program',
  send: chunked('0\r\nA: 1\r\n\r\n'),
  handler: (req, res, log) => {
    req.resume().on('end', () => {
      for (const name of ['headers', 'headersDistinct', 'trailers', 'trailersDistinct'] as const) {
        const { [name]: fields } = req;
        Object.assign(fields, { own: 'left here' });
        log('req', name, [req[name] === fields, { ...req[name] }]);
      }
      res.end();
    });
  },
});

/** What a handler does with the trailers of a request before they have arrived. */
const early: Readonly<Record<string, (req: http.IncomingMessage) => unknown>> = {
  'keeps rawTrailers': (req) => req.rawTrailers,
  'adds to rawTrailers': (req) => req.rawTrailers.push('own', '1'),
  'sets rawTrailers': (req) => (req.rawTrailers = ['own', '1']),
  'keeps trailers': (req) => req.trailers,
  'sets trailers': (req) => (req.trailers = { a: 'own', 'set-cookie': 'own' }),
  'keeps trailersDistinct': (req) => req.trailersDistinct,
};

for (const [name, act] of Object.entries(early)) {
  trailers.push({
    name: `trailers of a request whose handler ${name} before they come`,
    send: chunked('0\r\nA: 1\r\na: 2\r\n\r\n'),
    handler: (req, res, log) => {
      const kept = act(req);
      req.resume().on('end', () => {
        log('req', 'trailers', [req.rawTrailers, { ...req.trailers }, { ...req.trailersDistinct }]);
        log('req', 'kept', [kept, kept === req.rawTrailers, kept === req.trailers]);
        res.end();
      });
    },
  });
}

const codings: Scenario[] = ['chunked', 'Chunked', 'CHUNKED', 'chunked ', '\tchunked'].map((coding) => ({
  name: `Transfer-Encoding ${JSON.stringify(coding)} has the same result`,
  send: post([`Transfer-Encoding: ${coding}`], '3\r\nabc\r\n0\r\n\r\n'),
}));

const otherMethods: Scenario[] = ['GET', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'PUT', 'QUERY'].map((method) => ({
  name: `${method} can carry a body`,
  send: post(['Content-Length: 3'], 'abc').replace('POST', method),
}));

eachSameThroughBothDoors([...lengths, ...chunkedBodies, ...trailers, ...codings, ...otherMethods]);
