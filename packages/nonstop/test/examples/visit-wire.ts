import { linesOf } from './transcript.js';
import type { Visitor } from './visitor.js';

const host = 'Host: tracker.test\r\n';

/** Requests that can only be sent as raw bytes; the server closes after each. */
const closing: readonly (readonly [name: string, bytes: string])[] = [
  ['Connection: close', `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  ['HTTP/1.0', `GET /health HTTP/1.0\r\n\r\n`],
  ['HTTP/1.0 of a streamed answer', `GET /issues.csv HTTP/1.0\r\n${host}\r\n`],
  ['HTTP/1.0 of a redirect', `GET / HTTP/1.0\r\n${host}\r\n`],
  [
    'HTTP/1.0 kept alive, then not',
    `GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /health HTTP/1.0\r\n\r\n`,
  ],
  [
    'an absolute target',
    `GET http://tracker.test/issues/7 HTTP/1.1\r\n${host}Accept: application/json\r\nConnection: close\r\n\r\n`,
  ],
  ['an answer that fails halfway', `GET /diagnostics/halfway HTTP/1.1\r\n${host}\r\n`],
  ['no Host', `GET /health HTTP/1.1\r\n\r\n`],
  ['a request line that is none', `HELLO\r\n\r\n`],
  ['a version that does not exist', `GET / HTTP/3.7\r\n${host}\r\n`],
  ['a field name with a space', `GET /health HTTP/1.1\r\n${host}Bad Name: x\r\n\r\n`],
  ['a field that is folded', `GET /health HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`],
  ['a length that is no number', `POST /theme HTTP/1.1\r\n${host}Content-Length: ten\r\n\r\n`],
  ['two lengths', `POST /theme HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
  [
    'a length and chunks',
    `POST /theme HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a head that is too large', `GET /health HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a good request and a bad one', `GET /health HTTP/1.1\r\n${host}\r\nGET /health\r\n\r\n`],
];

const json = 'Accept: application/json\r\n';

/** Several requests in one write; the answers must arrive in order, whichever is ready first. */
const pipelined: readonly (readonly [name: string, requests: readonly string[]])[] = [
  ['a pair', [`GET /issues/7 HTTP/1.1\r\n${host}${json}\r\n`, `GET /health HTTP/1.1\r\n${host}\r\n`]],
  [
    'a form in the middle',
    [
      `GET /health HTTP/1.1\r\n${host}\r\n`,
      `POST /theme HTTP/1.1\r\n${host}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\ntheme=dark`,
      `GET /static/logo.svg HTTP/1.1\r\n${host}\r\n`,
      `GET /diagnostics/reject HTTP/1.1\r\n${host}${json}\r\n`,
      `GET /health HTTP/1.1\r\n${host}\r\n`,
    ],
  ],
];

/** Ways to use a connection: pipelined, kept alive, closed, and abused. */
export async function visitWire(visitor: Visitor): Promise<void> {
  for (const [name, bytes] of closing) await visitor.untilClose(name, bytes);
  for (const [name, requests] of pipelined) {
    const client = await visitor.open();
    await client.send(requests.join(''));
    for (const n of requests.keys())
      visitor.record(`pipelined: ${name}, answer ${n + 1}`, linesOf(await client.answer()));
    client.drop();
  }
  const slow = await visitor.open();
  for (const piece of [`GET /hea`, `lth HTTP/1.1\r`, `\n${host}Acc`, `ept: */*\r\n\r`, `\n`]) await slow.send(piece);
  visitor.record('a request in small pieces', linesOf(await slow.answer()));
  slow.drop();
  await visitor.ask('the request after the abuse', 200, { path: '/health' });
}
