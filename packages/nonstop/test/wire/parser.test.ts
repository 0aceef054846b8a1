import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestParser } from '../../src/wire/parser.js';
import { accepted, refused, type WireCase } from './cases.js';
import { record, type Told } from './record.js';

function check(wireCase: WireCase, chunks: Buffer[], where: string): void {
  compare(wireCase, record(chunks), where);
  compare(wireCase, record(chunks, {}, false, 'lent'), `${where}, lent`);
}

function compare({ requests, error }: WireCase, told: Told, where: string): void {
  assert.equal(told.error, error ?? null, where);
  assert.equal(told.hasPacket, error !== undefined, where);
  assert.equal(told.requests.length, requests.length, where);
  requests.forEach((expected, i) => {
    const got = told.requests[i];
    assert.equal(got.line, expected.line, where);
    assert.equal(got.body, expected.body ?? '', where);
    assert.equal(got.complete, !expected.open, where);
    assert.deepEqual(got.trailers, expected.trailers ?? [], where);
    if (expected.fields !== undefined) assert.deepEqual(got.fields, expected.fields, where);
    if (expected.persistent !== undefined) assert.equal(got.persistent, expected.persistent, where);
  });
  assert.equal(told.rest, '', where);
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\n\r\n`;
const post = (path: string, framing: string): string => `POST ${path} HTTP/1.1\r\n${framing}\r\n\r\n`;

describe('the request parser', () => {
  for (const wireCase of [...accepted, ...refused]) {
    const verb = wireCase.error === undefined ? 'takes' : 'refuses';
    it(`${verb} ${wireCase.name}, whole and cut in two at every octet and into single ones`, () => {
      const octets = Buffer.from(wireCase.input, 'latin1');
      check(wireCase, [octets], 'whole');
      for (let at = 1; at < octets.length; at++) {
        check(wireCase, [octets.subarray(0, at), octets.subarray(at)], `cut at ${at}`);
      }
      check(
        wireCase,
        Array.from(octets, (_, i) => octets.subarray(i, i + 1)),
        'octet by octet',
      );
    });
  }

  it('copies a lent packet before a handler may write to it, and data that is not its own', () => {
    const memory = Buffer.from(
      'GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\nrest',
    );
    const parser: RequestParser = new RequestParser(
      {
        onHead: ({ upgrade }) => {
          memory.fill('!');
          return upgrade;
        },
        onBody: () => {},
        onMessageEnd: () => {},
      },
      { octets: 16_384, lines: Number.POSITIVE_INFINITY },
    );
    parser.feed(memory, true);
    memory.fill('!');
    const rest = parser.takeUnread();
    assert.equal(rest.toString(), 'rest');
    assert.equal(Object.getPrototypeOf(rest), Buffer.prototype);
  });

  describe('a body that comes with its head in a lent packet', () => {
    const head = post('/1', 'Content-Length: 3');
    const wholeIsText: readonly (readonly [what: string, packets: string[], lent: boolean, given: unknown[]])[] = [
      ['is text if it is whole and nothing follows', [`${head}a\xff\0`], true, ['a\xff\0']],
      ['is octets if something follows', [`${head}abc\r\n`], true, [Buffer.from('abc')]],
      ['is octets if it is not whole', [`${head}ab`, 'c'], true, [Buffer.from('ab'), Buffer.from('c')]],
      ['is octets if the packet is not lent', [`${head}abc`], false, [Buffer.from('abc')]],
      ['is octets if the head came before', [head, 'abc'], true, [Buffer.from('abc')]],
    ];
    for (const [what, packets, lent, given] of wholeIsText) {
      it(what, () => {
        const bodies: unknown[] = [];
        let ends = 0;
        const parser = new RequestParser(
          { onHead: () => false, onBody: (data) => void bodies.push(data), onMessageEnd: () => void ends++ },
          { octets: 16_384, lines: Number.POSITIVE_INFINITY },
        );
        for (const packet of packets) parser.feed(Buffer.from(packet, 'latin1'), lent);
        assert.deepEqual(bodies, given);
        assert.equal(ends, 1);
        assert.equal(parser.isInMessage, false);
      });
    }

    it('is the rest if the sink stops the parser at the head', () => {
      const memory = Buffer.from(`${head}abc`);
      const parser = new RequestParser(
        {
          onHead: () => Boolean(memory.fill('!')),
          onBody: () => assert.fail('a body without a message'),
          onMessageEnd: () => assert.fail('an end without a message'),
        },
        { octets: 16_384, lines: Number.POSITIVE_INFINITY },
      );
      parser.feed(memory, true);
      assert.deepEqual(parser.takeUnread(), Buffer.from('abc'));
    });
  });

  describe('parses a packet that a handler passes to it inside another one', () => {
    const cases: Record<string, readonly [outer: string, inner: string, calls: string[]]> = {
      'behind a head': [
        `${get('/1')}${post('/3', 'Content-Length: 1')}x`,
        get('/2'),
        ['/1', 'end', '/3', 'x', 'end', '/2', 'end'],
      ],
      'behind a head with the whole body': [
        `${post('/1', 'Content-Length: 2')}bc`,
        get('/2'),
        ['/1', 'bc', 'end', '/2', 'end'],
      ],
      'behind a whole body': [`${post('/1', 'Content-Length: 1')}a`, get('/2'), ['/1', 'a', '', 'end', '/2', 'end']],
      'behind a part of a body with a length': [
        `${post('/1', 'Content-Length: 2')}a`,
        `b${get('/2')}`,
        ['/1', 'a', 'b', 'end', '/2', 'end'],
      ],
      'behind a part of a chunked body': [
        `${post('/1', 'Transfer-Encoding: chunked')}1\r\na`,
        `\r\n0\r\n\r\n${post('/2', 'Transfer-Encoding: chunked')}2\r\nc`,
        ['/1', 'a', 'end', '/2', 'c'],
      ],
      'which is the body of the message': [
        post('/1', 'Content-Length: 22'),
        get('/smuggled'),
        ['/1', get('/smuggled').slice(0, 22), 'end'],
      ],
      'which is the chunked body of the message': [
        post('/1', 'Transfer-Encoding: chunked'),
        `5\r\nGET /\r\n0\r\n\r\n${get('/2')}`,
        ['/1', 'GET /', 'end', '/2', 'end'],
      ],
      'which is the rest of the body of the message': [
        `${post('/1', 'Content-Length: 4')}bc`,
        `de${get('/2')}`,
        ['/1', 'bc', 'de', 'end', '/2', 'end'],
      ],
      'which is the rest of a chunked body': [
        `${post('/1', 'Transfer-Encoding: chunked')}1\r\nb\r\n`,
        `1\r\nc\r\n0\r\n\r\n`,
        ['/1', 'b', 'c', 'end'],
      ],
      'which is a head whose body comes later': [get('/1'), post('/2', 'Content-Length: 1'), ['/1', 'end', '/2']],
      'behind a head whose body has no known length': [
        post('/1', 'Transfer-Encoding: gzip'),
        get('/smuggled'),
        ['/1', 'HPE_INVALID_TRANSFER_ENCODING'],
      ],
      'which is not HTTP': [
        `${post('/1', 'Content-Length: 2')}ab${get('/2')}`,
        '*',
        ['/1', 'ab', 'end', '/2', 'end', 'HPE_INVALID_METHOD'],
      ],
      'which is not HTTP, in front of more chunks': [
        `${post('/1', 'Transfer-Encoding: chunked')}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`,
        'no chunk',
        ['/1', 'a', 'b', 'end', 'HPE_INVALID_METHOD'],
      ],
      'which is not HTTP, in front of a fault': [
        `${post('/1', 'Transfer-Encoding: chunked')}1\r\na*`,
        'no chunk',
        ['/1', 'a', 'HPE_STRICT'],
      ],
      'which is not HTTP, behind the last chunk': [
        `${post('/1', 'Transfer-Encoding: chunked')}1\r\na\r\n0\r\n\r\n${get('/2')}`,
        'no chunk',
        ['/1', 'a', 'end', '/2', 'end', 'HPE_INVALID_METHOD'],
      ],
    };
    for (const [name, [outer, inner, expected]] of Object.entries(cases)) {
      it(name, () => {
        const calls: string[] = [];
        const memory = Buffer.alloc(1000);
        const feed = (text: string): void => {
          try {
            parser.feed(memory.subarray(0, memory.write(text, 'latin1')), true);
          } catch (error) {
            calls.push((error as { code: string }).code);
          }
        };
        const inside = (call: string): void => {
          calls.push(call);
          if (call === (expected.includes('a') ? 'a' : '/1')) feed(inner);
        };
        const parser: RequestParser = new RequestParser(
          {
            onHead: ({ target }) => {
              inside(target);
              return false;
            },
            onBody: (data) => inside(data.toString()),
            onMessageEnd: () => void calls.push('end'),
          },
          { octets: 16_384, lines: Number.POSITIVE_INFINITY },
        );
        feed(outer);
        assert.deepEqual(calls, expected);
      });
    }
  });

  it('keeps a lent packet that it could not read', () => {
    const memory = Buffer.from('GET /1 HTTP/1.1\r\n: none\r\n\r\n');
    const text = memory.toString();
    let packet: Buffer | undefined;
    try {
      new RequestParser(
        { onHead: () => false, onBody: () => {}, onMessageEnd: () => {} },
        { octets: 16_384, lines: Number.POSITIVE_INFINITY },
      ).feed(memory, true);
    } catch (error) {
      packet = (error as { rawPacket: Buffer }).rawPacket;
    }
    memory.fill('!');
    assert.equal(packet?.toString(), text);
  });

  it('refuses a head whose target, names and values reach the limit, and accepts one octet less', () => {
    const head = (length: number): Buffer =>
      Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'v'.repeat(length)}\r\n\r\n`);
    // 1 for the target, 4 + 1 for Host, 1 for X.
    const room = 200 - 7;
    for (const split of [(all: Buffer) => [all], (all: Buffer) => [all.subarray(0, 50), all.subarray(50)]]) {
      assert.equal(record(split(head(room - 1)), { octets: 200 }).error, null);
      assert.equal(record(split(head(room)), { octets: 200 }).error, 'HPE_HEADER_OVERFLOW: Header overflow');
    }
  });

  it('accepts heads longer than its window, alone, pipelined and before a body', () => {
    const long = (n: number, more = ''): string => `POST /${n} HTTP/1.1\r\nX: ${'v'.repeat(5000)}\r\n${more}\r\n`;
    const body = 'b'.repeat(9000);
    const input = `${long(1)}${long(2, 'Content-Length: 9000\r\n')}${body}${long(3)}GET /4 HTTP/1.1\r\n\r\n`;
    for (const size of [input.length, 4096, 4097, 1000]) {
      const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, i) =>
        Buffer.from(input.slice(i * size, (i + 1) * size)),
      );
      const told = record(chunks);
      assert.equal(told.error, null, `in pieces of ${size}`);
      assert.deepEqual(
        told.requests.map(({ line, body: got }) => [line, got.length]),
        [
          ['POST /1 1.1', 0],
          ['POST /2 1.1', 9000],
          ['POST /3 1.1', 0],
          ['GET /4 1.1', 0],
        ],
        `in pieces of ${size}`,
      );
    }
  });

  it('accepts a head that only the scanner reads before a long body', () => {
    const head = 'POST  /1 HTTP/1.1\r\nContent-Length: 9000\r\n\r\n';
    const told = record([Buffer.from(`${head}${'b'.repeat(9000)}GET  /2 HTTP/1.1\r\n\r\n`)]);
    assert.equal(told.error, null);
    assert.deepEqual(
      told.requests.map(({ line, body }) => [line, body.length]),
      [
        ['POST /1 1.1', 9000],
        ['GET /2 1.1', 0],
      ],
    );
  });

  it('refuses the field line beyond the limit of lines, and accepts as many as it allows', () => {
    const head = (lines: number): Buffer => Buffer.from(`GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(lines)}\r\n`);
    for (const split of [(all: Buffer) => [all], (all: Buffer) => [all.subarray(0, 20), all.subarray(20)]]) {
      assert.equal(record(split(head(5)), { lines: 5 }).error, null);
      assert.equal(record(split(head(6)), { lines: 5 }).error, 'HPE_HEADER_OVERFLOW: Header overflow');
    }
  });

  it('refuses a line too many of millions that come in one piece', () => {
    const head = Buffer.from(`GET / HTTP/1.1\r\n${'A:\r\n'.repeat(4_000_000)}\r\n`);
    assert.equal(record([head], { octets: 2 ** 30, lines: 5 }).error, 'HPE_HEADER_OVERFLOW: Header overflow');
  });

  it('refuses a head that never ends as soon as the limit is reached', () => {
    const told = record([Buffer.from('GET / HTTP/1.1\r\nX: '), Buffer.alloc(200, 'v')], { octets: 200 });
    assert.equal(told.error, 'HPE_HEADER_OVERFLOW: Header overflow');
  });

  it('refuses chunk extensions that never end', () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const extensions of ['a'.repeat(16_385), ';'.repeat(16_385)]) {
      const told = record([Buffer.from(`${head}1;${extensions}`)]);
      assert.equal(told.error, 'HPE_CHUNK_EXTENSIONS_OVERFLOW: Chunk extensions overflow');
    }
    // The limit is that of one chunk.
    const told = record([Buffer.from(`${head}${`1;${'a'.repeat(16_384)}\r\nx\r\n`.repeat(2)}0\r\n\r\n`)]);
    assert.deepEqual([told.error, told.requests[0].body, told.requests[0].complete], [null, 'xx', true]);
  });

  it('refuses trailers beyond the limit of a head', () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const told = record([Buffer.from(`${head}0\r\nX: ${'v'.repeat(200)}`)], { octets: 200 });
    assert.equal(told.error, 'HPE_HEADER_OVERFLOW: Header overflow');
  });

  it('reads nothing more after a handler threw, because the body of its request would be read as the next one', () => {
    const parser = new RequestParser(
      {
        onHead: () => {
          throw new Error('of a handler');
        },
        onBody: () => assert.fail('a body without a request'),
        onMessageEnd: () => assert.fail('an end without a request'),
      },
      { octets: 16_384, lines: 100 },
    );
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\n';
    assert.throws(() => parser.feed(Buffer.from(head)), { message: 'of a handler' });
    assert.throws(() => parser.feed(Buffer.from('GET /smuggled HTTP/1.1\r\n\r\n')), {
      code: 'HPE_CB_HEADERS_COMPLETE',
    });
  });

  it('keeps nothing of the fields of a head that came in pieces', () => {
    const seen: unknown[] = [];
    const parser: RequestParser = new RequestParser(
      { onHead: ({ fields }) => (seen.push(fields), false), onBody: () => {}, onMessageEnd: () => {} },
      { octets: 16_384, lines: 100 },
    );
    parser.feed(Buffer.from('GET / HT'));
    parser.feed(Buffer.from('TP/1.1\r\nHost: a\r\n\r\n'));
    assert.deepEqual(seen, [['Host', 'a']]);
    assert.equal(parser.fields, null);
  });

  it('leaves what follows an accepted upgrade to its new owner', () => {
    const head = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
    const told = record([Buffer.from(`${head}not HTTP`)], {}, true);
    assert.equal(told.rest, 'not HTTP');
    assert.equal(told.error, null);
    assert.deepEqual(
      told.requests.map(({ upgrade }) => upgrade),
      [true],
    );
  });

  it('continues with HTTP if the upgrade is not accepted', () => {
    const head = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
    const told = record([Buffer.from(`${head}GET /2 HTTP/1.1\r\n\r\n`)]);
    assert.deepEqual(
      told.requests.map(({ line }) => line),
      ['GET / 1.1', 'GET /2 1.1'],
    );
  });
});
