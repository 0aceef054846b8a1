import { Duplex } from 'node:stream';
import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors, type Door } from '../support/doors.js';

type ParseError = NodeJS.ErrnoException & { reason?: string; bytesParsed?: number };

/** A stream as a connection: the server reads what is pushed; what it writes is dropped. */
class Wire extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

/** @returns the error that `'clientError'` gets for these bytes, or a note that they are not refused yet */
async function judge(door: Door, bytes: string): Promise<string> {
  let verdict = 'not refused';
  const server = door.createServer({}, (req, res) => {
    req.resume();
    res.end();
  });
  server.once('clientError', ({ code, reason, bytesParsed }: ParseError) => {
    verdict = `${code}: ${reason}, after ${bytesParsed}`;
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const wire = new Wire();
  server.emit('connection', wire);
  wire.push(Buffer.from(bytes, 'latin1'));
  await new Promise((resolve) => setImmediate(resolve));
  wire.destroy();
  return verdict;
}

// Octets of each class that llhttp distinguishes, and their neighbours.
const OCTETS = '\0\t\n\v\f\r\x1f !"#%\',-./019:;<=>?@AGHIPRT[\\]_afgx{|~\x7f\x80\xa0\xff';

const head = 'POST / HTTP/1.1\r\nHost: a\r\n';
const body = `${head}Transfer-Encoding: chunked\r\n\r\n`;
const line = 'GET / HTTP/1.1\r\n';
const places: Record<string, readonly string[]> = {
  'a method': ['', 'G', 'GET', 'PRI'],
  'a target': [
    'GET ',
    'GET /',
    'GET /a',
    'GET /?',
    'GET /?a',
    'GET /#',
    'GET /#a',
    'GET /?#',
    'GET *',
    'GET h',
    'GET /a\r',
    'GET a:b\r',
    'GET /a\r\n',
  ],
  'an absolute target': ['http:', 'http:/', 'http://', 'http://h', 'http://u@', 'http://u@h', 'http://h:8', 'http://h/']
    .concat('http://[::1', 'http://h?', 'http://h#')
    .map((target) => `GET ${target}`),
  'an authority': ['CONNECT ', 'CONNECT h', 'CONNECT h:4', 'CONNECT h@', 'CONNECT h/'],
  'a version': ['', 'H', 'HTTP', 'HTTP/', 'HTTP/1', 'HTTP/1.', 'HTTP/1.1', 'HTTP/1.1\r', 'HTTP/0.9\r'].map(
    (text) => `GET / ${text}`,
  ),
  'the preface of HTTP/2': ['PRI ', 'PRI *', 'PRI * HTTP/2.0', 'PRI * HTTP/2.0\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r'],
  'a field': ['', 'X', 'X:', 'X: ', 'X: a', 'X: a\r', 'X:\r', 'X: a\r\n', 'X:\r\n', 'X: \r\n', 'X: a\r\n\r'].map(
    (text) => line + text,
  ),
  'a field of the framing': ['Connection', 'Connection:', 'Connection: ', 'Connection: x', 'Connection: close\r']
    .concat('Connection: close\r\n', 'Content-Length', 'Content-Length: 5\r', 'Content-Length: 5\r\n', 'Upgrade')
    .concat(
      'Transfer-Encoding',
      'Transfer-Encoding:',
      'Transfer-Encoding: ',
      'Transfer-Encoding: chunked\r\n',
      'Upgrade: x',
    )
    .map((text) => head + text),
  'a chunk': ['', '5', '5\r', '5\r\nhello', '5\r\nhello\r', '5\r\nhello\r\n', '0', '0\r', '0\r\n\r'].map(
    (text) => body + text,
  ),
  'an extension': [';', ';a', ';a=', ';a=b', ';a="', ';a="b', ';a="b"', ';a="\\', ';a\r', ';a="b"\r'].map(
    (text) => `${body}5${text}`,
  ),
  'a trailer': ['', 'X', 'X: a', 'X: a\r', 'X: a\r\n'].map((text) => `${body}0\r\n${text}`),
  'what follows the last request': ['GET / HTTP/1.0\r\n\r\n', `${line}Host: a\r\nConnection: close\r\n\r\n`],
};

/** HTTP/0.9 whose line ends in a bare LF, has no target or the method PRI, and protocols other than HTTP: docs/compat. */
const isStricter = (place: string, octet: string): boolean =>
  (/^[A-Z]+ [^ ]*$/.test(place) && octet === '\n') ||
  (['CONNECT ', 'PRI *'].includes(place) && octet === '\r') ||
  (place === 'GET / ' && 'IR'.includes(octet));

for (const [name, before] of Object.entries(places)) {
  test(`each octet within ${name} is refused as by node, and after as many octets`, async () => {
    const [oracle, engine] = doors;
    let refused = 0;
    for (const place of before) {
      for (const octet of OCTETS) {
        if (isStricter(place, octet)) continue;
        const expected = await judge(oracle, place + octet);
        assert.equal(await judge(engine, place + octet), expected, JSON.stringify(place + octet));
        if (expected !== 'not refused') refused++;
      }
    }
    assert.ok(refused > before.length, `${refused} refusals`);
  });
}
