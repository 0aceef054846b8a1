import type http = require('node:http');
import { eachSameThroughBothDoors, type Handler, type Log } from '../support/both-doors.js';

/** Values of one field in several answers, set by `setHeader` or by `writeHead`; the first answers repeat. */
const series: Record<string, readonly (readonly [name: string, value: string | number])[]> = {
  'the same value': [
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
    ['X-Same', 'of ascii'],
  ],
  'another spelling of the name': [
    ['X-Spelt', 'one way'],
    ['X-Spelt', 'one way'],
    ['X-Spelt', 'one way'],
    ['x-SPELT', 'one way'],
    ['X-Spelt', 'one way'],
  ],
  'another spelling, then without a value': [
    ...Array.from({ length: 5 }, () => ['X-Blank', 'one way'] as const),
    ['x-BLANK', ''],
    ['x-BLANK', ''],
  ],
  'a value of as many characters': [
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'abcdefgh'],
    ['X-Long', 'aXcdefgh'],
    ['X-Long', 'abcdefgh'],
  ],
  'a number after its text': [
    ['X-Number', '12'],
    ['X-Number', '12'],
    ['X-Number', '12'],
    ['X-Number', 12],
  ],
  'octets outside of ASCII': [
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
    ['X-Latin', 'caf\xe9'],
  ],
  nothing: [
    ['X-Empty', ''],
    ['X-Empty', ''],
    ['X-Empty', ''],
  ],
  'Connection: close at last': [
    ['Connection', 'keep-alive'],
    ['Connection', 'keep-alive'],
    ['Connection', 'keep-alive'],
    ['Connection', 'close'],
  ],
  'a value that is refused': [
    ['X-Refused', 'good'],
    ['X-Refused', 'good'],
    ['X-Refused', 'good'],
    ['X-Refused', 'go\nd'],
  ],
};

const ways: Record<string, (name: string, value: string | number) => Handler> = {
  setHeader: (name, value) => (_req, res) => {
    res.setHeader(name, value);
    res.end('answer');
  },
  writeHead: (name, value) => (_req, res) => {
    res.writeHead(200, { [name]: value });
    res.end('answer');
  },
};

eachSameThroughBothDoors(
  Object.entries(series).flatMap(([what, lines]) =>
    Object.entries(ways).map(([way, handlerOf]) => ({
      name: `answers in turn with ${what}, by ${way}`,
      talk: async (client) => {
        for (let i = 0; i < lines.length; i++) {
          await client.send(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
          if (lines[i][1] === 'go\nd') await client.untilClose();
          else await client.answer();
        }
      },
      handler: (req, res, log) => {
        const [name, value] = lines[Number(req.url?.slice(1))];
        return handlerOf(name, value)(req, res, log);
      },
    })),
  ),
);

/** Fields of consecutive requests on one connection; the first ones repeat. */
const sections: Record<string, readonly (readonly string[])[]> = {
  'the same fields': [
    ['X-A: 1', 'Cookie: a=b'],
    ['X-A: 1', 'Cookie: a=b'],
    ['X-A: 1', 'Cookie: a=b'],
    ['X-A: 1', 'Cookie: a=b'],
  ],
  // What is kept of the first ones is asked for at the third of the others.
  'another value of as many characters': ['1', '1', '1', '2', '2', '2', '1'].map((value) => [`X-A: ${value}`]),
  'fields in another order': [
    ['X-A: 1', 'X-B: 2'],
    ['X-A: 1', 'X-B: 2'],
    ['X-A: 1', 'X-B: 2'],
    ['X-B: 2', 'X-A: 1'],
  ],
  'a field more and less': [
    ['X-A: 1'],
    ['X-A: 1'],
    ['X-A: 1', 'X-B: 2'],
    ['X-A: 1', 'X-B: 2'],
    ['X-A: 1', 'X-B: 2'],
    ['X-A: 1'],
  ],
  'fields sent twice': [
    ['X-A: 1', 'x-a: 2', 'ETag: 1', 'ETag: 2'],
    ['X-A: 1', 'x-a: 2', 'ETag: 1', 'ETag: 2'],
    ['X-A: 1', 'x-a: 2', 'ETag: 1', 'ETag: 2'],
  ],
  'lists of cookies': [
    ['Set-Cookie: a', 'Set-Cookie: b'],
    ['Set-Cookie: a', 'Set-Cookie: b'],
    ['Set-Cookie: a', 'Set-Cookie: b'],
    ['Set-Cookie: a', 'Set-Cookie: b'],
  ],
  'names of members of objects': [
    ['__proto__: x', 'constructor: y'],
    ['__proto__: x', 'constructor: y'],
    ['__proto__: x', 'constructor: y'],
  ],
  'names that are numbers': [
    ['X-A: 1', '7: seven'],
    ['X-A: 1', '7: seven'],
    ['X-A: 1', '7: seven'],
  ],
};

type Reader = (req: http.IncomingMessage, log: Log) => void;

/** Each leaves state behind that the next request must not see. */
const readers: Record<string, Reader> = {
  'headers, which are changed': (req, log) => {
    log('fields', 'headers', [Object.entries(req.headers), Object.getPrototypeOf(req.headers) === Object.prototype]);
    log('fields', 'kept', [req.headers === req.headers, req.headers['x-left']]);
    req.headers['x-left'] = `by ${req.url}`;
    req.headers['x-a'] = 'changed';
    req.headers['set-cookie']?.push('more');
    delete req.headers.host;
    log('fields', 'afterwards', Object.entries(req.headers));
  },
  'rawHeaders, which are changed, then headers': (req, log) => {
    log('fields', 'rawHeaders', [...req.rawHeaders]);
    req.rawHeaders.push('X-Left', 'behind');
    log('fields', 'headers', Object.entries(req.headers));
  },
  'headers, then rawHeaders and headersDistinct': (req, log) => {
    log('fields', 'headers', Object.entries(req.headers));
    log('fields', 'raw', [req.rawHeaders, Object.entries(req.headersDistinct)]);
  },
  'headers that are joined in part': (req, log) => {
    log('fields', 'headers', Object.entries(req.headers));
    const { server } = req.socket as unknown as { server: { joinDuplicateHeaders: boolean } };
    server.joinDuplicateHeaders = req.url === '/2';
  },
};

eachSameThroughBothDoors(
  Object.entries({
    ...sections,
    'as many fields as are cut': Array.from({ length: 5 }, () => Array.from({ length: 70 }, (_, i) => `X-${i}: ${i}`)),
  }).flatMap(([what, requests]) =>
    Object.entries(readers).map(([how, read]) => ({
      name: `requests in turn with ${what}, read as ${how}`,
      talk: async (client) => {
        for (const [i, lines] of requests.entries()) {
          await client.send([`GET /${i} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n'));
          await client.answer();
        }
      },
      handler: (req, res, log) => {
        read(req, log);
        res.end('ok');
      },
    })),
  ),
);
