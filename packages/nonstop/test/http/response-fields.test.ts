import type http = require('node:http');
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, type Log, type Scenario } from '../support/both-doors.js';

/** Missing in the types of Node 20, present in every Node since 15. */
type RawNames = http.ServerResponse & { getRawHeaderNames(): string[] };
type Steps = (res: http.ServerResponse, note: (what: string, run: () => unknown) => void) => void;

const thrown = (error: unknown): unknown[] => {
  const { name, code, message } = error as NodeJS.ErrnoException;
  return [name, code, message];
};

/** Runs steps one by one and logs the result or error of each. */
function notes(log: Log): (what: string, run: () => unknown) => void {
  return (what, run) => {
    try {
      const value = run();
      log('step', what, typeof value === 'object' && value !== null && 'writeHead' in value ? 'the response' : [value]);
    } catch (error) {
      log('step', what, thrown(error));
    }
  };
}

const scripts: Record<string, Steps> = {
  'setHeader, getHeader, hasHeader, removeHeader': (res, note) => {
    note('returns itself', () => res.setHeader('X-A', '1') === res);
    note('get', () => [res.getHeader('x-a'), res.getHeader('X-A'), res.getHeader('none')]);
    note('number stays a number', () => res.setHeader('X-N', 5).getHeader('x-n'));
    note('array is kept', () => res.setHeader('X-L', ['a', 'b']).getHeader('x-l'));
    note('has', () => [res.hasHeader('X-a'), res.hasHeader('none')]);
    note('remove', () => res.removeHeader('x-A'));
    note('gone', () => [res.hasHeader('x-a'), res.getHeader('x-a')]);
    note('remove unknown', () => res.removeHeader('never'));
  },
  'getHeaders, getHeaderNames, getRawHeaderNames': (res, note) => {
    note('none', () => [res.getHeaderNames(), Object.getPrototypeOf(res.getHeaders()) === null]);
    res.setHeader('X-Foo', 'bar');
    res.setHeader('Set-Cookie', ['a', 'b']);
    res.setHeader('cOnTent-Type', 'x');
    note('all', () => res.getHeaders());
    note('names', () => res.getHeaderNames());
    note('raw names', () => (res as RawNames).getRawHeaderNames());
    note('a copy', () => {
      const copy = res.getHeaders();
      copy['x-more'] = '1';
      return res.hasHeader('x-more');
    });
  },
  'many fields, set again and taken out in between': (res, note) => {
    for (let i = 0; i < 12; i += 1) {
      res.setHeader(`X-${i}-a`, String(i));
      if (i % 3 === 1) res.removeHeader(`x-${i - 1}-A`);
      if (i % 4 === 3) res.setHeader(`X-${i - 1}-A`, 'again');
      note(`after ${i}`, () => [res.getHeaderNames(), (res as RawNames).getRawHeaderNames(), res.getHeaders()]);
    }
  },
  'five fields, one taken out, one set': (res, note) => {
    for (const name of ['X-A', 'X-B', 'X-C', 'X-D', 'X-E']) res.setHeader(name, name);
    res.removeHeader('X-E');
    note('gone', () => [res.hasHeader('X-E'), res.getHeader('X-E')]);
    res.setHeader('X-F', 'f').setHeader('X-G', 'g');
    note('all', () => res.getHeaders());
  },
  'names of more characters than are remembered, set again and read': (res, note) => {
    const long = ['A', 'B', 'C'].map((letter) => `X-${letter.repeat(70)}`);
    for (const [i, name] of long.entries()) res.setHeader(name, i).setHeader(`X-${i}-short`, i);
    res.setHeader(long[1].toLowerCase(), 'again');
    res.removeHeader(long[0]);
    for (const name of long) note(`get ${name[2]}`, () => [res.getHeader(name), res.hasHeader(name.toLowerCase())]);
    note('all', () => [(res as RawNames).getRawHeaderNames(), res.getHeaders()]);
  },
  // Such a name makes the response node's.
  'fields behind one whose name is a number': (res, note) => {
    note('none yet', () => [res.hasHeader('X-A'), res.getHeader('X-A'), res.getHeaders()]);
    res.setHeader('X-A', 'a').setHeader('7', 'seven').setHeader('X-B', 'b').removeHeader('X-A');
    note('has', () => [res.hasHeader('X-A'), res.hasHeader('X-B'), res.hasHeader('7')]);
    note('get', () => [res.getHeader('X-A'), res.getHeader('X-B'), res.getHeader('7')]);
    note('all', () => [(res as RawNames).getRawHeaderNames(), res.getHeaderNames(), res.getHeaders()]);
  },
  appendHeader: (res, note) => {
    note('returns itself', () => res.appendHeader('X-A', '1') === res);
    note('second', () => res.appendHeader('x-a', '2').getHeader('x-a'));
    note('array', () => res.appendHeader('X-A', ['3', '4']).getHeader('x-a'));
    note('after setHeader', () => res.setHeader('X-B', 'b').appendHeader('X-B', 'c').getHeader('x-b'));
    note('array first', () => res.appendHeader('X-C', ['1', '2']).appendHeader('X-C', '3').getHeader('x-c'));
    note('bad value', () => res.appendHeader('X-A', 'a\nb'));
    note('bad name', () => res.appendHeader('b d', 'x'));
  },
  setHeaders: (res, note) => {
    note(
      'Map',
      () =>
        res.setHeaders(
          new Map([
            ['X-A', '1'],
            ['X-B', '2'],
          ]),
        ) === res,
    );
    note(
      'Headers',
      () =>
        res.setHeaders(
          new Headers([
            ['X-H', '1'],
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
          ]),
        ) === res,
    );
    note('cookies', () => res.getHeader('set-cookie'));
    note('object', () => res.setHeaders({ a: 'b' } as never));
    note('array', () => res.setHeaders(['a', 'b'] as never));
    note('nothing', () => res.setHeaders(undefined as never));
  },
  'names that are no token': (res, note) => {
    for (const name of [
      '',
      'a b',
      'a:b',
      'a\r\nb',
      'caf\xe9',
      '\0',
      'a(b)',
      'a"b',
      '[a]',
      'a/b',
      '@',
      'a\tb',
      ' a',
      'a ',
    ])
      note(JSON.stringify(name), () => res.setHeader(name, 'x'));
    note('undefined', () => res.setHeader(undefined as never, 'x'));
    note('number', () => res.setHeader(5 as never, 'x'));
    note('object', () => res.setHeader({} as never, 'x'));
  },
  'values that are not allowed': (res, note) => {
    for (const value of [
      'a\r\nX-Injected: 1',
      'a\nb',
      'a\rb',
      'a\0b',
      '\x7f',
      '\x01',
      '\u0100',
      '\u20ac',
      '\ud83d\ude00',
    ])
      note(JSON.stringify(value), () => res.setHeader('X-V', value));
    note('tab', () => res.setHeader('X-V', 'a\tb'));
    note('undefined', () => res.setHeader('X-U', undefined as never));
    note('null', () => res.setHeader('X-U', null as never));
    note('array with a newline', () => res.setHeader('X-U', ['fine', 'b\nd']));
    note('array with undefined', () => res.setHeader('X-U', [undefined] as never));
    note('symbol', () => res.setHeader('X-U', Symbol('s') as never));
    note('function', () => res.setHeader('X-U', (() => 1) as never));
    note('length that is no number', () => res.setHeader('X-U', 'fine'));
  },
  'reading with bad names': (res, note) => {
    note('getHeader()', () => res.getHeader(undefined as never));
    note('hasHeader()', () => res.hasHeader(undefined as never));
    note('removeHeader()', () => res.removeHeader(undefined as never));
    note('getHeader(5)', () => res.getHeader(5 as never));
  },
  'fields after the head is sent': (res, note) => {
    res.setHeader('X-Before', '1');
    res.flushHeaders();
    note('sent', () => res.headersSent);
    note('set', () => res.setHeader('X-After', '1'));
    note('append', () => res.appendHeader('X-After', '1'));
    note('remove', () => res.removeHeader('X-Before'));
    note('setHeaders', () => res.setHeaders(new Map([['a', 'b']])));
    note('writeHead', () => res.writeHead(200));
    note('get', () => [res.getHeader('x-before'), res.getHeaderNames(), res.hasHeader('X-Before')]);
    note('headers', () => res.getHeaders());
    note('flush again', () => res.flushHeaders());
    note('statusCode', () => {
      res.statusCode = 500;
    });
  },
  'fields of a head that was made before the first write': (res, note) => {
    res.setHeader('X-Before', '1');
    res.setHeader('X-List', ['a', 'b']);
    res.setHeader('X-Number', 5);
    res.writeHead(201);
    res.write('x');
    note('get', () => [res.getHeader('x-before'), res.getHeader('X-LIST'), res.getHeader('x-number')]);
    note('get none', () => [res.getHeader('none'), res.getHeader('bad name')]);
    note('get 5', () => res.getHeader(5 as never));
    note('has', () => [res.hasHeader('X-Before'), res.hasHeader('none')]);
    note('has 5', () => res.hasHeader(5 as never));
    note('names', () => [res.getHeaderNames(), (res as RawNames).getRawHeaderNames()]);
    note('headers', () => res.getHeaders());
    note('set', () => res.setHeader('X-After', '1'));
    note('append', () => res.appendHeader('X-Before', '1'));
    note('remove', () => res.removeHeader('X-Before'));
    note('writeHead', () => res.writeHead(200));
    note('names as they were', () => res.getHeaderNames());
    res.on('finish', () => note('after', () => [res.getHeader('x-before'), res.getHeaders()]));
  },
  'fields of a head that is taken away again': (res, note) => {
    const inner = res as unknown as { _header: string | null };
    res.setHeader('X-Before', '1');
    res.setHeader('X-Other', '2');
    res.writeHead(201);
    res.cork();
    inner._header = null;
    note('get', () => [res.getHeader('x-before'), res.getHeaderNames()]);
    note('remove', () => res.removeHeader('X-Other'));
    note('set', () => res.setHeader('X-After', '1') === res);
    note('names', () => [res.getHeaderNames(), res.hasHeader('x-other')]);
    res.writeHead(202);
    note('header', () => inner._header?.replace(/Date: [^\r]+/, 'Date: <now>'));
    res.uncork();
  },
  "members of node's that have no other way to the fields": (res, note) => {
    const old = res as unknown as { _headers: unknown; _headerNames: unknown };
    res.setHeader('X-Before', '1');
    res.writeHead(201);
    res.write('x');
    note('names by their spelling', () => old._headerNames);
    note('fields by name', () => old._headers);
    note('get', () => [res.getHeader('x-before'), res.getHeaderNames()]);
  },
  'statuses that are none': (res, note) => {
    for (const status of [0, 1, 99, 1000, 10_000, -200, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32 + 200])
      note(String(status), () => res.writeHead(status));
    for (const status of ['', 'abc', '20', null, undefined, {}, [], true])
      note(JSON.stringify(status) ?? 'undefined', () => res.writeHead(status as never));
  },
  'a statusCode that is none': (res, note) => {
    res.statusCode = 99;
    note('end', () => res.end('x'));
    note('state', () => [res.headersSent, res.statusCode, res.writableEnded]);
    res.statusCode = 200;
  },
  'reasons that are not allowed': (res, note) => {
    for (const reason of ['a\r\nX: 1', 'a\nb', '\0', '\u20ac'])
      note(JSON.stringify(reason), () => res.writeHead(200, reason));
    res.statusMessage = 'b\nd';
    note('statusMessage', () => res.end('x'));
    res.statusMessage = 'good';
  },
  'fields of writeHead that are not allowed': (res, note) => {
    note('name', () => res.writeHead(200, { 'b d': 'x' }));
    note('value', () => res.writeHead(200, { good: 'b\nd' }));
    note('odd pairs', () => res.writeHead(200, ['a', 'b', 'c']));
    note('undefined value', () => res.writeHead(200, { 'x-u': undefined }));
    note('with setHeader', () => {
      res.setHeader('X-Set', '1');
      return res.writeHead(200, { 'b d': 'x' });
    });
    note('odd pairs with setHeader', () => res.writeHead(200, ['a', 'b', 'c']));
  },
  addTrailers: (res, note) => {
    note('object', () => res.addTrailers({ 'X-T': '1' }));
    note('bad name', () => res.addTrailers({ 'b d': '1' }));
    note('bad value', () => res.addTrailers({ good: 'b\nd' }));
    note('pairs', () => res.addTrailers([['X-P', '2']] as never));
    res.write('so that it is chunked');
  },
  'addTrailers after the head': (res, note) => {
    res.setHeader('Trailer', 'X-T');
    res.write('body');
    note('object', () => res.addTrailers({ 'X-T': '1', 'X-Two': ['a', 'b'] as never }));
  },
  'a trailer without chunked coding': (res, note) => {
    res.setHeader('Content-Length', 2);
    res.setHeader('Trailer', 'X-T');
    note('writeHead', () => res.writeHead(200));
    res.removeHeader('Trailer');
    res.removeHeader('Content-Length');
  },
  uniqueHeaders: (res, note) => {
    res.setHeader('X-Unique', ['a', 'b']);
    res.appendHeader('X-Other', ['a', 'b']);
    note('get', () => res.getHeader('x-unique'));
  },
  'uniqueHeaders that are set as lists': (res, note) => {
    note('set', () => res.setHeader('X-Unique', ['a', 'b']) === res);
    res.setHeader('X-Other', ['a', 'b']);
  },
  'fields that are removed and set again': (res, note) => {
    const names = ['Connection', 'Content-Length', 'Date', 'Transfer-Encoding'];
    for (const name of names) res.removeHeader(name);
    res.setHeader('Content-Length', 3);
    res.setHeader('Connection', 'keep-alive');
    note('end', () => res.end('abc') === res);
    for (const name of ['_removedConnection', '_removedContLen', '_removedTE'])
      note(name, () => Reflect.get(res, name) as unknown);
  },
  'odd properties': (res, note) => {
    note('connection', () => res.connection === res.socket);
    note('req', () => [res.req.url, res.req.method]);
    note('writable', () => [
      res.writable,
      res.writableObjectMode,
      res.writableHighWaterMark > 0,
      res.writableLength,
      res.writableCorked,
      res.writableFinished,
      res.errored,
      res.closed,
      res.destroyed,
    ]);
    note('setTimeout returns itself', () => res.setTimeout(0) === res);
    note('cork', () => [res.cork(), res.writableCorked, res.uncork(), res.writableCorked]);
  },
};

const scenarios: Scenario[] = Object.entries(scripts).map(([name, steps]) => ({
  name: `${name} give what node gives`,
  options: name.startsWith('uniqueHeaders') ? { uniqueHeaders: ['X-Unique'] } : {},
  send: 'GET /steps HTTP/1.1\r\nHost: a\r\n\r\n',
  answers: 0,
  then: 'finish',
  handler: (_req, res, log) => {
    steps(res, notes(log));
    if (!res.writableEnded) res.end('end');
  },
  check: ({ wire, events }) => {
    assert.ok(events['step']?.length, 'the steps ran');
    assert.doesNotMatch(wire, /Injected/);
  },
}));

eachSameThroughBothDoors(scenarios);
