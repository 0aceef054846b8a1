import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WireError } from '../../src/core/errors.js';
import { Fact } from '../../src/wire/facts.js';
import { NAMES_WITH_FACTS } from '../../src/wire/framing.js';
import { parseHead, splitFieldLines, type ParsedHead } from '../../src/wire/parse-head.js';
import { HeadScanner } from '../../src/wire/scan-head.js';
import { seeded, type Seeded } from '../support/seeded.js';

const LIMITS = { octets: 16_384, lines: 1000 };

function emptyHead(): ParsedHead {
  return {
    method: '',
    target: '',
    minor: 0,
    fieldLines: '',
    repeated: '',
    mark: -1,
    misses: 0,
    facts: 0,
    contentLength: -1,
  };
}

/** The plain parser: the oracle of the fast one. */
function scan(text: string): HeadScanner | null {
  const scanner = new HeadScanner(LIMITS);
  try {
    scanner.scan(text);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
  return scanner.done ? scanner : null;
}

const NAMES = [
  'Host',
  'host',
  'HoSt',
  'Hoss',
  'Hest',
  'Most',
  'Connection',
  'Content-Length',
  'Transfer-Encoding',
  'Upgrade',
  'Expect',
  'X',
  ...NAMES_WITH_FACTS,
  'Cookie',
  'A b',
  '',
  'É',
];
const VALUES = [
  'a',
  '',
  'close',
  'keep-alive',
  '5',
  '+5',
  '5 5',
  'chunked',
  'gzip, chunked',
  'chunked, gzip',
  'upgrade',
  ' padded\t',
  'a\tb\x80c\xff\t\x7e',
  '\t\xff',
  '\x80',
  'a\x7f',
  'a\0',
  '100-continue',
];
const LINES = [
  'GET / HTTP/1.1',
  'GET /a/long/one HTTP/1.1',
  'GET /b/long/one HTTP/1.1',
  'POST /a?b#c HTTP/1.0',
  'get / HTTP/1.1',
  'GAT / HTTP/1.1',
  'GEX / HTTP/1.1',
  'XET / HTTP/1.1',
  'GET  / HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET http://a/ HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'GET / HTTP/2.0',
  'GET /\x80 HTTP/1.1',
  'GET /\x7f HTTP/1.1',
];
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'];

function makeHead(random: Seeded): string {
  let text = random.pick(LINES) + random.pick(ENDS);
  for (let i = random.below(5); i > 0; i--) {
    text += `${random.pick(NAMES)}:${random.chance(0.8) ? ' ' : ''}${random.pick(VALUES)}${random.pick(ENDS)}`;
  }
  return `${text}\r\n`;
}

/** That the fast reading of `text` is that of the plain parser. */
function assertSame(head: ParsedHead, text: string, label: string): void {
  const plain = scan(text);
  assert.notEqual(plain, null, label);
  const { method, target, minor, facts, contentLength, fields } = plain!;
  assert.deepEqual(
    {
      method: head.method,
      target: head.target,
      minor: head.minor,
      facts: head.facts,
      contentLength: head.contentLength,
    },
    { method, target, minor, facts, contentLength },
    label,
  );
  assert.deepEqual(splitFieldLines(head.fieldLines, true), fields, label);
  assert.deepEqual(splitFieldLines(head.fieldLines, false), fields, label);
}

describe('the fast reading of a head', () => {
  it('agrees with the scanner on every head that it accepts, and accepts none that the scanner refuses', () => {
    let taken = 0;
    // Shared by all cases: cached lines must not change the meaning of a head.
    const head = emptyHead();
    for (let seed = 1; seed <= 20_000; seed++) {
      const text = makeHead(seeded(seed));
      const end = parseHead(text, 0, head, LIMITS);
      if (end === -1) continue;
      taken++;
      assertSame(head, text.slice(0, end), `seed ${seed}: ${JSON.stringify(text)}`);
    }
    assert.ok(taken > 1000, `only ${taken} heads were ordinary: the generator no longer tests the fast reading`);
  });

  it('agrees with the scanner on heads with any octet at any place', () => {
    const ordinary = 'PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';
    for (const text of [ordinary, ordinary.replace('PUT', 'GET')]) {
      const head = emptyHead();
      for (let at = 0; at < text.length; at++) {
        for (let octet = 0; octet < 256; octet++) {
          const changed = text.slice(0, at) + String.fromCharCode(octet) + text.slice(at + 1);
          const end = parseHead(changed, 0, head, LIMITS);
          if (end !== -1) assertSame(head, changed.slice(0, end), JSON.stringify(changed));
        }
        // What was read of a changed head is not that of this one.
        assert.equal(parseHead(text, 0, head, LIMITS), text.length);
        assertSame(head, text, JSON.stringify(text));
      }
    }
  });

  it('leaves an incomplete head to the scanner', () => {
    assert.equal(parseHead('GET / HTTP/1.1\r\nHost: a\r\n', 0, emptyHead(), LIMITS), -1);
  });

  it('reads heads one after another', () => {
    const head = emptyHead();
    const text = 'GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nA: b\r\n\r\n';
    const first = parseHead(text, 0, head, LIMITS);
    assert.equal(head.target, '/1');
    assert.equal(parseHead(text, first, head, LIMITS), text.length);
    assert.equal(head.target, '/2');
    assert.equal(head.fieldLines, 'A: b\r\n\r\n');
  });

  it('recognises repeated lines, but not after a head that was abandoned', () => {
    const head = emptyHead();
    const ordinary = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const between of [ordinary, 'GET / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: x\r\n\r\n', ordinary]) {
      parseHead(between, 0, head, LIMITS);
      // As the parser does behind each head.
      head.fieldLines = '';
      assert.equal(parseHead(ordinary, 0, head, LIMITS), ordinary.length);
      const { target, fieldLines, facts, contentLength } = head;
      assert.deepEqual(
        { target, fieldLines, facts, contentLength },
        {
          target: '/',
          fieldLines: 'Host: a\r\n\r\n',
          facts: Fact.Host,
          contentLength: -1,
        },
      );
    }
    assert.equal(head.repeated, 'Host: a\r\n\r\n');
  });

  it('takes the same long targets as the scanner, with each octet at each place', () => {
    for (let code = 0; code < 256; code++) {
      for (const place of [61, 62, 63, 64, 65, 99]) {
        const target = `/${'x'.repeat(place)}${String.fromCharCode(code)}${'y'.repeat(99 - place)}`;
        const text = `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
        const head = emptyHead();
        const end = parseHead(text, 0, head, LIMITS);
        // Spaces around a target are for the scanner alone.
        if (end !== -1) assert.deepEqual([end, head.target], [text.length, scan(text)?.target]);
        else assert.ok(code <= 0x20 || code >= 0x7f, JSON.stringify(text));
      }
    }
    assert.equal(parseHead(`GET /${'x'.repeat(200)}`, 0, emptyHead(), LIMITS), -1, 'without an end');
  });

  it('leaves a head that reaches the limit to the scanner, also if its lines repeat', () => {
    const head = emptyHead();
    const ordinary = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let count = 0; count < 3; count++) parseHead(ordinary, 0, head, LIMITS);
    assert.equal(head.repeated, 'Host: a\r\n\r\n');
    for (const [line, fast] of [
      [`GET /${'x'.repeat(9)} HTTP/1.1\r\n`, true],
      [`GET /${'x'.repeat(10)} HTTP/1.1\r\n`, false],
    ] as const) {
      const text = `${line}Host: a\r\n\r\n`;
      const limits = { octets: ordinary.length + 10, lines: 1000 };
      for (const into of [head, emptyHead()])
        assert.equal(parseHead(text, 0, into, limits), fast ? text.length : -1, into.repeated);
    }
  });

  it('keeps no lines that differ from head to head, even if they look alike', () => {
    const head = emptyHead();
    for (let number = 100; number < 200; number++) {
      const text = `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(100)}\r\nX-Id: ${number}\r\n\r\n`;
      assert.equal(parseHead(text, 0, head, LIMITS), text.length);
      assert.match(head.fieldLines, new RegExp(`X-Id: ${number}`));
    }
    assert.equal(head.repeated, '');
  });

  it('reads a value of any length, with octets of any kind', () => {
    const limits = { octets: 2 ** 26, lines: 1000 };
    for (const piece of ['\x80', '\ta', 'a']) {
      const text = `GET / HTTP/1.1\r\nHost: a\r\nX: ${piece.repeat(8e6 / piece.length)}\r\n\r\n`;
      assert.equal(parseHead(text, 0, emptyHead(), limits), text.length);
    }
  });
});
