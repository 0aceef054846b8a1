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
  taken: number;
}

/**
 * Feeds `chunks` to a parser and records its results.
 *
 * @param stopAtUpgrade the sink's answer to a head that asks to leave HTTP
 * @param lent the chunks are in memory that is overwritten whenever the parser calls its sink, and when it returns
 */
export function record(
  chunks: readonly Buffer[],
  limits: Partial<HeadLimits> = {},
  stopAtUpgrade = false,
  lent = false,
): Told {
  let memory: Buffer = Buffer.alloc(0);
  const told: Told = { requests: [], error: null, hasPacket: false, taken: 0 };
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
      memory.fill('!');
      return upgrade && stopAtUpgrade;
    },
    onBody(data) {
      memory.fill('!');
      bodies.at(-1)!.push(data);
    },
    onMessageEnd(trailers) {
      memory.fill('!');
      Object.assign(told.requests.at(-1)!, { complete: true, trailers });
    },
  };
  const parser = new RequestParser(sink, { octets: 16_384, lines: Number.POSITIVE_INFINITY, ...limits });
  for (const chunk of chunks) {
    try {
      if (lent) memory = viewOctets(new Uint8Array(chunk).buffer, chunk.length);
      told.taken += lent ? parser.feed(memory, true) : parser.feed(chunk);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      told.error = `${error.code}: ${error.reason}`;
      memory.fill('!');
      told.hasPacket = error.rawPacket !== undefined && chunk.equals(error.rawPacket);
      break;
    }
    memory.fill('!');
  }
  for (const [i, pieces] of bodies.entries())
    told.requests[i].body = pieces
      .map((piece) => (typeof piece === 'string' ? piece : piece.toString('latin1')))
      .join('');
  return told;
}
