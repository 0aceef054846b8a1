import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestParser, type RequestSink } from '../../src/wire/parser.js';
import { runProgram } from '../support/run-program.js';
import { compiled } from '../support/paths.js';

const quiet = (): RequestSink => ({ onHead: () => false, onBody: () => {}, onMessageEnd: () => {} });

/** How many octets the parser turns into text for a read. */
function decoded(read: Buffer): number {
  const slices = Buffer.prototype as unknown as { latin1Slice(start: number, end: number): string };
  const { latin1Slice } = slices;
  let octets = 0;
  slices.latin1Slice = function (this: Buffer, start, end) {
    octets += end - start;
    return latin1Slice.call(this, start, end);
  };
  try {
    new RequestParser(quiet(), { octets: 16_384, lines: 2000 }).feed(read);
  } finally {
    slices.latin1Slice = latin1Slice;
  }
  return octets;
}

for (const [what, message] of [
  ['chunked requests', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
  ['chunked requests with trailers', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n\r\n'],
  ['heads for the scanner', 'REBIND / HTTP/1.1\r\nX-A: b\r\n\r\n'],
] as const) {
  test(`a read of many ${what} is not decoded again for each of them`, () => {
    const [few, many] = [1000, 4000].map((count) => decoded(Buffer.from(message.repeat(count), 'latin1')));
    assert.ok(few > 0);
    assert.ok(many < few * 5, `${few} octets for 1,000 messages, ${many} for 4,000`);
  });
}

const SLOW = `
  const { RequestParser } = require(process.argv[1]);
  const sink = { onHead() { throw new Error('the head is complete'); } };
  const parsers = Array.from({ length: 400 }, () => new RequestParser(sink, { octets: 16_384, lines: 2000 }));
  const used = () => { gc(); return process.memoryUsage().heapUsed; };
  const octet = Buffer.from('a');
  for (const parser of parsers) for (const part of [process.argv[2], 'a']) parser.feed(Buffer.from(part));
  const before = used();
  for (let sent = 0; sent < 15_000; sent++) for (const parser of parsers) parser.feed(octet);
  console.log((used() - before) / parsers.length);
`;

for (const [what, begin] of [
  ['a target', 'GET /'],
  ['a name', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a value', 'GET / HTTP/1.1\r\nHost: a\r\nX: '],
]) {
  test(`${what} of 15 kB that comes octet by octet takes little more than its length`, async () => {
    const args = [compiled('src/wire/parser.js'), begin];
    const { stdout } = await runProgram({ text: SLOW, flags: ['--expose-gc'], args });
    const each = Number(stdout);
    // The octets are kept; other memory of the process becomes up to 200 kB less meanwhile, which 400 connections share.
    assert.ok(each > 14_000 && each < 40_000, `${each} octets for each connection`);
  });
}
