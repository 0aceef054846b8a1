// The parser reads octets in memory that all connections share, and each call of its sink may overwrite them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everySplit } from '../support/splits.js';
import { accepted, refused } from './cases.js';
import { record, type Told } from './record.js';

const get = (path: string, ...lines: string[]): string => [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
const scanned = (path: string): string => `GET  ${path} HTTP/1.1\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (path: string, ...rest: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Transfer-Encoding: chunked', '', ...rest, '', ''].join('\r\n');
const upgrade = get('/u', 'Upgrade: a', 'Connection: upgrade');
const long = `X: ${'v'.repeat(5000)}`;

/** What several messages are in one read, so that the parser has octets in front of it when it calls its sink. */
const several: readonly string[] = [
  `${get('/1')}${get('/2')}${get('/3')}`,
  `${get('/1')}${scanned('/2')}${get('/3')}${scanned('/4')}`,
  `${post('/1', 'abc')}${post('/2', 'def')}\r\n`,
  `${get('/1')}${post('/2', 'abc')}`,
  chunked('/1', '1', 'a', '2', 'bc', '0') + chunked('/2', '0', 'T: t') + get('/3'),
  `${post('/1', 'abc')}*`,
  `${chunked('/1', '1', 'a', '0')}*`,
  `${chunked('/1', '1', 'a', '')}no chunk`,
  'POST /1 HTTP/1.1\r\nTransfer-Encoding: a\r\n\r\n',
  `POST /1 HTTP/1.1\r\nTransfer-Encoding: a\r\n\r\n${get('/2')}`,
  `${get('/1', 'Connection: close')}${get('/2')}`,
  `${get('/1')}${upgrade}not HTTP`,
  `${upgrade}${get('/2')}not HTTP`,
  `${upgrade.slice(0, -2)}Content-Length: 3\r\n\r\nabc`,
  `${upgrade.slice(0, -2)}Content-Length: 3\r\n\r\nabcdef`,
  'CONNECT a:1 HTTP/1.1\r\n\r\nnot HTTP',
];

/** A head that is longer than the window of the fast parser: cut at a few places, since there are thousands. */
const large: readonly string[] = [
  `${get('/1')}${get('/2', long)}${get('/3')}`,
  `${post('/1', 'b'.repeat(9000))}${get('/2', long)}`,
  post('/1', 'b'.repeat(9000)),
];

function* splitsOf(input: string): Generator<Buffer[]> {
  const octets = Buffer.from(input, 'latin1');
  if (octets.length < 1000) yield* everySplit(octets);
  else
    for (const at of [octets.length, 10, 30, 4096, 4200, 5060, octets.length - 3])
      yield [octets.subarray(0, at), octets.subarray(at)];
}

const inputs = [...several, ...large, ...[...accepted, ...refused].map(({ input }) => input)];

/** Calls `compare` with what is told for every input and split, by a sink that takes upgrades and by one that does not. */
function each(compare: (chunks: Buffer[], stops: boolean, where: string) => void): void {
  for (const input of inputs) {
    for (const chunks of splitsOf(input)) {
      const where = JSON.stringify(chunks.map((chunk) => chunk.toString('latin1').slice(0, 300)));
      for (const stops of [false, true]) compare(chunks, stops, where);
    }
  }
}

describe('the request parser, with octets that each call of its sink overwrites', () => {
  it('tells what it tells of octets that stay', () => {
    each((chunks, stops, where) => {
      assert.deepEqual(record(chunks, {}, stops, 'lent'), record(chunks, {}, stops), where);
    });
  });

  it('refuses what it should have copied and has not, and reads nothing else in its place', () => {
    let refusals = 0;
    each((chunks, stops, where) => {
      const truth = record(chunks, {}, stops);
      const told = record(chunks, {}, stops, 'forgotten');
      if (told.error?.startsWith('HPE_INTERNAL') !== true) {
        // Nothing was needed behind a call, except for the read of which a refusal tells.
        assert.deepEqual({ ...told, hasPacket: truth.hasPacket }, truth, where);
        return;
      }
      refusals++;
      assertBegins(told, truth, where);
    });
    assert.ok(refusals > 1000, `${refusals} refusals`);
  });
});

/** Whether the requests of `told`, which ended early, are the first ones of `truth`. */
function assertBegins(told: Told, truth: Told, where: string): void {
  assert.equal(told.rest, '', where);
  for (const [i, request] of told.requests.entries()) {
    const expected = truth.requests[i];
    const isLast = i === told.requests.length - 1;
    assert.ok(isLast ? expected.body.startsWith(request.body) : request.body === expected.body, where);
    const end = isLast && !request.complete ? { complete: false, trailers: [] } : {};
    assert.deepEqual(request, { ...expected, body: request.body, ...end }, where);
  }
}
