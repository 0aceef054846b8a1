import assert from 'node:assert/strict';
import type { HeadLimits } from '../../src/wire/limits.js';
import { WireError } from '../../src/core/errors.js';
import { viewOctets } from '../../src/node/octets.js';
import { splitFieldLines } from '../../src/wire/parse-head.js';
import { RequestParser, type RequestSink } from '../../src/wire/parser.js';

/** A parser's results in a comparable form: bodies are joined, because a split may cut them anywhere. */
export interface Told {
  requests: {
    line: string;
    fields: string[];
    body: string;
    complete: boolean;
    persistent: boolean;
    upgrade: boolean;
    trailers: string[];
  }[];
  error: string | null;
  /** Whether the error has the chunk in which it was found, as that came. */
  hasPacket: boolean;
  /** What followed the octets at which the sink stopped the parser. */
  rest: string;
}

/**
 * - `kept`: the chunks do not change.
 * - `lent`: they are in memory that is overwritten whenever the parser calls its sink, and when it returns.
 * - `forgotten`: the same, and at each call of the sink the parser takes it that no octet behind it is needed.
 */
export type Memory = 'kept' | 'lent' | 'forgotten';

/** The parser copies nothing, at whatever place it calls its sink. */
function forgetAll(parser: RequestParser): void {
  const sinkAt = Reflect.get(parser, 'sinkAt') as (next: number) => RequestSink;
  Reflect.set(parser, 'sinkAt', () => sinkAt.call(parser, Number.POSITIVE_INFINITY));
}

/**
 * Feeds `chunks` to a parser and records its results.
 *
 * @param stopAtUpgrade the sink's answer to a head that asks to leave HTTP
 */
export function record(
  chunks: readonly Buffer[],
  limits: Partial<HeadLimits> = {},
  stopAtUpgrade = false,
  where: Memory = 'kept',
): Told {
  let memory: Buffer = Buffer.alloc(0);
  const overwrite = (): void => {
    if (where === 'kept') return;
    assert.notEqual((Reflect.get(parser, 'octets') as Buffer).buffer, memory.buffer, 'the parser would read on in it');
    memory.fill('!');
  };
  const told: Told = { requests: [], error: null, hasPacket: false, rest: '' };
  // A program may keep the pieces of a body: they are looked at in the end.
  const bodies: (Buffer | string)[][] = [];
  const sink: RequestSink = {
    onHead(parser) {
      const { method, target, major, minor, persistent, upgrade } = parser;
      told.requests.push({
        line: `${method} ${target} ${major}.${minor}`,
        fields: parser.fields ?? splitFieldLines(parser.fieldLines, true),
        body: '',
        complete: false,
        persistent,
        upgrade,
        trailers: [],
      });
      bodies.push([]);
      overwrite();
      return upgrade && stopAtUpgrade;
    },
    onBody(data) {
      overwrite();
      bodies.at(-1)!.push(data);
    },
    onMessageEnd(trailers) {
      overwrite();
      Object.assign(told.requests.at(-1)!, { complete: true, trailers });
    },
  };
  const parser: RequestParser = new RequestParser(sink, {
    octets: 16_384,
    lines: Number.POSITIVE_INFINITY,
    ...limits,
  });
  if (where === 'forgotten') forgetAll(parser);
  for (const chunk of chunks) {
    try {
      memory = viewOctets(new Uint8Array(chunk).buffer, chunk.length);
      if (where === 'kept') parser.feed(chunk);
      else parser.feed(memory, true);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      told.error = `${error.code}: ${error.reason}`;
      memory.fill('!');
      told.hasPacket = error.rawPacket !== undefined && chunk.equals(error.rawPacket);
      break;
    }
    memory.fill('!');
  }
  told.rest = parser.takeUnread().toString('latin1');
  for (const [i, pieces] of bodies.entries())
    told.requests[i].body = pieces
      .map((piece) => (typeof piece === 'string' ? piece : piece.toString('latin1')))
      .join('');
  return told;
}
