import assert = require('node:assert/strict');
import type http = require('node:http');
import { test } from 'node:test';
import { doors } from '../support/doors.js';
import { eachSameThroughBothDoors, play, type Log, type Scenario } from '../support/both-doors.js';

type Answer = (res: http.ServerResponse, log: Log) => void;
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

function attempt(log: Log, what: string, run: () => unknown): void {
  try {
    log('tried', what, [run()]);
  } catch (error) {
    log('tried', what, [(error as Error).name, (error as NodeJS.ErrnoException).code, (error as Error).message]);
  }
}

const heads: Record<string, Answer> = {
  'removeHeader(Content-Length) behind setHeader': (res) => {
    res.setHeader('Content-Length', 4);
    res.removeHeader('Content-Length');
  },
  'removeHeader(Content-Length) without a field': (res) => res.removeHeader('Content-Length'),
  'writeHead(status)': (res) => res.writeHead(201),
  'writeHead(status, reason)': (res) => res.writeHead(201, 'Made Up'),
  'writeHead(status, fields)': (res) => res.writeHead(201, { 'Content-Type': 'text/plain', 'X-Number': 5 }),
  'writeHead(status, reason, fields)': (res) => res.writeHead(299, 'Own Reason', { 'X-A': '1' }),
  'writeHead(status, undefined, fields)': (res) => res.writeHead(202, undefined, { 'X-A': '1' }),
  'writeHead(status, pairs)': (res) => res.writeHead(200, ['X-A', '1', 'X-B', '2', 'x-a', '3']),
  'writeHead(status, list of pairs)': (res) =>
    res.writeHead(200, [
      ['X-A', '1'],
      ['X-B', '2'],
      ['x-a', '3'],
    ] as never),
  'writeHead over setHeader': (res) => {
    res.setHeader('X-A', 'old');
    res.setHeader('X-Keep', 'kept');
    res.writeHead(200, { 'x-a': 'new', 'X-C': 'c' });
  },
  'writeHead pairs over setHeader': (res) => {
    res.setHeader('X-A', 'old');
    res.setHeader('X-Keep', 'kept');
    res.writeHead(200, ['X-A', '1', 'X-A', '2', 'X-C', 'c']);
  },
  'writeHead with arrays': (res) =>
    res.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-List': ['1', '2'], Cookie: ['c', 'd'] }),
  'writeHead with setHeader arrays': (res) => {
    res.setHeader('Set-Cookie', ['a=1', 'b=2']);
    res.writeHead(200, { 'Set-Cookie': 'c=3' });
  },
  'writeHead with null and undefined values': (res, log) =>
    attempt(log, 'undefined', () => {
      res.writeHead(200, { 'X-U': undefined });
    }),
  'writeHead with arrays behind a field that was removed': (res, log) => {
    res.setHeader('X-Gone', '1');
    res.removeHeader('X-Gone');
    res.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], A: '1', a: '2' });
    log('res', 'fields', res.getHeaders());
  },
  'writeHead with chunked behind a field that was removed': (res) => {
    res.setHeader('X-Gone', '1');
    res.removeHeader('X-Gone');
    res.writeHead(200, { A: '1', a: '2', 'Transfer-Encoding': 'chunked' });
  },
  'writeHead that is refused behind a field that was removed': (res, log) => {
    res.setHeader('X-Gone', '1');
    res.removeHeader('X-Gone');
    attempt(log, 'undefined', () => {
      res.writeHead(200, { 'X-A': '1', 'X-U': undefined });
    });
    log('res', 'fields', res.getHeaders());
  },
  'writeHead with a Date of its own': (res) => res.writeHead(200, { Date: 'never' }),
  'writeHead with Connection: close': (res) => res.writeHead(200, { Connection: 'close' }),
  'writeHead with a length': (res) => res.writeHead(200, { 'Content-Length': '4' }),
  'writeHead with chunked': (res) => res.writeHead(200, { 'Transfer-Encoding': 'chunked' }),
  'writeHead with both framings': (res) =>
    res.writeHead(200, { 'Transfer-Encoding': 'chunked', 'Content-Length': '4' }),
  'writeHead with an empty object': (res) => res.writeHead(200, {}),
  'writeHead with names that differ in case': (res) => res.writeHead(200, { 'x-a': '1', 'X-B': '2', 'X-A': '3' }),
  'writeHead with a reason and names that differ in case': (res) =>
    res.writeHead(202, 'Own Reason', { 'set-cookie': 'a=1', 'Set-Cookie': 'b=2' }),
  'writeHead with names that differ in case over setHeader': (res) => {
    res.setHeader('X-a', 'old');
    res.writeHead(200, { 'x-a': '1', 'X-B': '2', 'X-A': '3' });
  },
  'writeHead with two lengths': (res) => res.writeHead(200, { 'content-length': 4, 'Content-Length': 4 }),
  'writeHead with an empty name': (res, log) =>
    attempt(log, 'empty', () => {
      res.writeHead(200, { 'X-A': '1', '': '2' });
    }),
  'writeHead with an empty name over setHeader': (res, log) => {
    res.setHeader('X-A', 'old');
    attempt(log, 'empty', () => {
      res.writeHead(200, { 'X-B': '1', '': '2' });
    });
  },
  'writeHead with a bad name over setHeader': (res, log) => {
    res.setHeader('X-A', 'old');
    attempt(log, 'bad', () => {
      res.writeHead(200, { 'X-B': '1', 'bad name': '2', 'X-C': '3' });
    });
    log('res', 'names', res.getHeaderNames());
  },
  'writeHead with Keep-Alive in front of a bad name': (res, log) =>
    attempt(log, 'bad', () => {
      res.writeHead(200, { 'Keep-Alive': 'timeout=9', 'bad name': '2' });
    }),
  'writeHead with an empty reason': (res) => res.writeHead(200, ''),
  'writeHead twice': (res, log) => {
    res.writeHead(200);
    attempt(log, 'again', () => {
      res.writeHead(201);
    });
  },
  'writeHead returns the response': (res, log) => log('res', 'returned', res.writeHead(200) === res),
  'writeHead with a string status': (res) => res.writeHead('202' as never),
  'writeHead with fractions': (res) => res.writeHead(200.7),
  statusMessage: (res) => {
    res.statusMessage = 'Fine By Me';
  },
  'statusMessage of latin1': (res) => {
    res.statusMessage = 'caf\xe9';
  },
  'an empty statusMessage': (res) => {
    res.statusMessage = '';
  },
  'statusMessage and writeHead': (res) => {
    res.statusMessage = 'Set Before';
    res.writeHead(404);
  },
  'a status without a name': (res) => {
    res.statusCode = 299;
  },
  'sendDate false': (res) => {
    res.sendDate = false;
  },
  'a Date of its own': (res) => res.setHeader('Date', 'Thu, 01 Jan 1970 00:00:00 GMT'),
  'the order of fields set': (res) => {
    for (const name of ['Z-Last', 'A-First', 'Content-Type', 'X-m', 'ETag']) res.setHeader(name, name.length);
    res.removeHeader('x-M');
    res.setHeader('X-M', 'back');
    res.setHeader('a-first', 'replaced');
  },
  'latin1 values': (res) => res.setHeader('X-L', 'caf\xe9'),
  'a latin1 value and a body of UTF-8': (res) => res.setHeader('Content-Disposition', 'attachment; filename="\xe9"'),
  'numbers and booleans as values': (res) => {
    res.setHeader('X-N', 12);
    res.setHeader('X-B', true as never);
    res.setHeader('X-F', 1.5);
    res.setHeader('X-Neg', -0);
    res.setHeader('X-Nan', Number.NaN);
  },
  'objects as values': (res) => res.setHeader('X-O', { toString: () => 'made' } as never),
  'arrays as values': (res) => {
    res.setHeader('X-A', ['1', '2']);
    res.setHeader('X-E', []);
    res.setHeader('X-N', [1, 2] as never);
  },
  'an empty value': (res) => res.setHeader('X-Empty', ''),
  'names of numbers': (res) => {
    res.setHeader('10', 'ten');
    res.setHeader('9', 'nine');
    res.setHeader('X-A', 'a');
    res.setHeader('1', 'one');
  },
  '__proto__ as a name': (res) => {
    res.setHeader('__proto__', 'p');
    res.setHeader('constructor', 'c');
  },
  'Content-Length as a number': (res) => res.setHeader('Content-Length', 4),
  'Content-Length as a string': (res) => res.setHeader('content-length', '4'),
  'Connection: keep-alive': (res) => res.setHeader('Connection', 'keep-alive'),
  'Trailer and no chunked coding': (res, log) =>
    attempt(log, 'writeHead', () => {
      res.writeHead(200, { Trailer: 'X-T', 'Content-Length': '4' });
    }),
  'writeHead keeps names as written': (res) => res.writeHead(200, { 'cOnTeNt-TyPe': 'text/plain', 'X-MiXeD': '1' }),
  assignSocketless: (res, log) =>
    log('res', 'state', [
      res.headersSent,
      res.writableEnded,
      res.finished,
      res.statusCode,
      res.sendDate,
      res.strictContentLength,
      res.chunkedEncoding,
      res.shouldKeepAlive,
      res.useChunkedEncodingByDefault,
    ]),
};

const bodies: readonly (readonly [name: string, end: (res: http.ServerResponse) => void])[] = [
  ['end(body)', (res) => res.end('body')],
  [
    'write and end',
    (res) => {
      res.write('bo');
      res.end('dy');
    },
  ],
];

/** node encodes a head with its first part, if that is text: octets outside ASCII differ with it. */
const X = { 'X-L': 'caf\xe9' };
const LENGTH = { 'Content-Length': 4 };
const latin1Heads: typeof heads = {
  'latin1 values and a length': (res) => res.setHeader('X-L', X['X-L']).setHeader('Content-Length', 4),
  'a latin1 value and writeHead': (res) => res.setHeader('X-L', X['X-L']).writeHead(200),
  'a latin1 value and writeHead with a length': (res) => res.setHeader('X-L', X['X-L']).writeHead(200, LENGTH),
  'a length and writeHead with a latin1 value': (res) => res.setHeader('Content-Length', 4).writeHead(200, X),
  'both and writeHead': (res) => res.setHeader('X-L', X['X-L']).setHeader('Content-Length', 4).writeHead(200),
  'writeHead with both': (res) => res.writeHead(200, { ...X, ...LENGTH }),
  'a latin1 value in a list, a length, and writeHead': (res) =>
    res.setHeader('X-L', Object.values(X)).setHeader('Content-Length', 4).writeHead(200),
  'a latin1 value that was removed, and writeHead': (res) => {
    res.setHeader('X-L', X['X-L']).removeHeader('X-L');
    res.writeHead(200, LENGTH);
  },
};
const latin1Bodies: typeof bodies = [
  ...bodies,
  ['end(text outside ASCII)', (res) => res.end('b\xf6d')],
  ['end(octets)', (res) => res.end(Buffer.from('body'))],
  [
    'flushHeaders and end',
    (res) => {
      res.flushHeaders();
      res.end('body');
    },
  ],
];

const tables = [
  { heads, bodies },
  { heads: latin1Heads, bodies: latin1Bodies },
];
const pairs = tables.flatMap((table) =>
  Object.entries(table.heads).flatMap(([name, head]) => table.bodies.map(([how, end]) => ({ name, head, how, end }))),
);
const accepted: Scenario[] = pairs.map(({ name, head, how, end }) => ({
  name: `the head of ${name}, ${how}`,
  send: get,
  answers: 0,
  then: 'finish',
  handler: (_req, res, log) => {
    head(res, log);
    end(res);
    log('res', 'after', [res.headersSent, res.writableEnded, res.statusCode, res.statusMessage]);
  },
}));

eachSameThroughBothDoors(accepted);

/** node sends what the list has become: two lines, of which the second is the sender's. */
for (const [name, line] of ['Set-Cookie', 'Cookie', 'X-List'].flatMap((field) =>
  // Written as Latin-1, U+010D and U+010A are CR and LF.
  ['\r\n', '\n', '\u010d\u010a', '\u010a'].map((end) => [field, `c=3${end}X-Evil: 1`]),
)) {
  test(`a line that is added to the list of ${name} after setHeader() is refused: ${JSON.stringify(line)}`, async () => {
    const { wire, events } = await play(doors[1], {
      name,
      send: get,
      handler: (_req, res, log) => {
        const list = ['a=1'];
        res.setHeader(name, list);
        list.push('b=2', line);
        attempt(log, 'end', () => res.end('body'));
        list.pop();
        res.end('other');
      },
    });
    assert.doesNotMatch(wire, /Evil/);
    assert.match(wire, /b=2[^]*other/);
    assert.match(JSON.stringify(events), /ERR_INVALID_CHAR/);
  });
}
