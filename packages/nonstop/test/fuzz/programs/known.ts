import { CONTEXTS_ARE_FRAMES } from '../../../src/node/differences.js';
import type { Seen } from '../../support/plays.js';
import type { Unlike } from '../../support/seen-differences.js';
import type { Program } from './program.js';

interface Known {
  readonly reason: string;
  readonly fits: (unlike: Unlike, program: Program) => boolean;
}

/** A listener's note, and the AsyncLocalStorage store in which it ran. */
const IN_STORE = /^(.*) in (undefined|request \d+)$/s;

const OF_END = /^(?:req (?:end|close|pause|resume) |callback of (?:finished req|pipeline) )/;

/** 100, 102 or 103: a status line, perhaps fields, an empty line. */
const INTERIM = /HTTP\/1\.1 10[023] [A-Z][^\\]*(?:\\r\\n[^\\]+)*\\r\\n\\r\\n/g;

/** What a program sends with `res._send()`, without a head. */
const PAST_THE_HEAD = 'past the head';

/** Properties that show that a request's stream has ended, besides its data and events. */
const OF_ITS_END = /^req\.(?:readable(?:Ended|Flowing|DidRead)?|closed|destroyed|isPaused\(\)) → /;

const KNOWN: readonly Known[] = [
  {
    reason: 'an interim answer stands in front of the head of its response, never inside of it (docs/compat)',
    fits: ({ source, node, engine }) =>
      source === 'wire' &&
      node.match(INTERIM)?.length === engine.match(INTERIM)?.length &&
      node.replaceAll(INTERIM, '') === engine.replaceAll(INTERIM, ''),
  },
  {
    reason:
      'a connection is not idle while a request on it is unanswered, even if the answer before it has ended (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      source === 'ending' &&
      node === 'end' &&
      engine === 'open' &&
      requests.length > 1 &&
      JSON.stringify(requests).includes('closeIdleConnections('),
  },
  {
    reason: 'what is sent past the head of an answer that waits keeps its place before the head (docs/compat)',
    fits: ({ source, node, engine }) =>
      source === 'wire' &&
      node.split(PAST_THE_HEAD).length === engine.split(PAST_THE_HEAD).length &&
      node.replaceAll(PAST_THE_HEAD, '') === engine.replaceAll(PAST_THE_HEAD, ''),
  },
  {
    reason:
      "a listener for the end of a request runs in the request's own store, or in none; which of the two may differ (docs/compat)",
    fits: ({ node, engine }) => {
      const [, seen, store] = IN_STORE.exec(node) ?? [];
      const [, engineSeen, engineStore] = IN_STORE.exec(engine) ?? [];
      return (
        (OF_END.test(seen ?? '') || !CONTEXTS_ARE_FRAMES) &&
        seen === engineSeen &&
        [store, engineStore].includes('undefined')
      );
    },
  },
  {
    reason: 'a request that was not used before its answer ends on first use, and its properties say so (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      requests.some(({ guarded }, i) => !guarded && source === `request ${i}`) &&
      OF_ITS_END.test(node) &&
      nameOf(node) === nameOf(engine),
  },
  {
    reason: 'a listener added after end() is called after the ticks that ran meanwhile (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      requests.some(({ guarded }, i) => !guarded && source === `request ${i}`) &&
      /^callback of \w+ .*ERR_STREAM_PREMATURE_CLOSE/.test(node) &&
      /^callback of \w+ .*ERR_STREAM_WRITE_AFTER_END/.test(engine),
  },
  {
    reason: 'the callback of a write of a response that waited has the store of the connection (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      requests.some((_, i) => i > 0 && source === `request ${i}`) &&
      /^callback of write .* in request \d+$/.test(node) &&
      engine === node.replace(/ in request \d+$/, ' in connection'),
  },
];

/** What ends the connection or its reads, or the request that a connection waits for. */
const ENDS = /\bsocket\.(?:end|pause|destroy\w*)\(|\b(?:req|res)\.destroy\(/;

/**
 * Whether a program ends or pauses its connection in a listener for the end of a request that was not used before its answer. Only
 * the engine calls such a listener (docs/compat), so nothing after it can be equal.
 */
export function endsAfterUnread({ requests }: Program, node: Seen, engine: Seen): boolean {
  return requests.some(({ guarded, handler }, i) => {
    const end = `end of request ${i}`;
    const [nodes, engines] = [node, engine].map(({ notes }) => notes[end] ?? []);
    return (
      !guarded &&
      nodes.length < engines.length &&
      handler.some((each) => each.do === 'listen' && each.to === 'req' && each.then.some((code) => ENDS.test(code)))
    );
  });
}

/**
 * Whether a program resets a connection that it has ended, and only node's parser reads on: the handle refuses the reset and stays open, although
 * its socket is destroyed (docs/compat).
 */
export function readsBehindReset({ requests }: Program, node: Seen, engine: Seen): boolean {
  const resets = requests.some((request) => {
    const text = JSON.stringify(request);
    return text.includes('resetAndDestroy(') && text.includes('socket.end(');
  });
  if (!resets || node.wire !== engine.wire) return false;
  const sources = [...new Set([...Object.keys(node.notes), ...Object.keys(engine.notes)])];
  return sources.every((source) => isPartOf(engine.notes[source] ?? [], node.notes[source] ?? []));
}

/** Sorted. Without callbacks: only a response that is closed already calls that of a write in the listener. */
const namesIn = (notes: readonly string[]): string[] =>
  notes
    .map(nameOf)
    .filter((name) => !name.startsWith('callback of '))
    .toSorted();

/** What was done or heard, without the result. */
const nameOf = (note: string): string => note.split(/ → | threw | \(/, 1)[0];

/** @returns why a difference is known; undefined for an unknown one */
export function knownUnlike(unlike: Unlike, program: Program): string | undefined {
  return KNOWN.find(({ fits }) => fits(unlike, program))?.reason;
}

/**
 * Both transcripts without what docs/compat leaves open for a whole request, where the notes show only their order:
 *
 * - A request that was not used before it was answered may emit its end to listeners that are too late under node. A request on which
 *   the program listens for errors counts as used.
 * - A response that has waited is closed before any listener of the socket's 'close': the notes of its request are
 *   the same in another order, and properties read there may be those of before or after.
 */
export function withoutOrder({ requests }: Program, node: Seen, engine: Seen): [node: Seen, engine: Seen] {
  const notes: Record<string, readonly string[]>[] = [{ ...node.notes }, { ...engine.notes }];
  for (const [i, { guarded, handler }] of requests.entries()) {
    const end = `end of request ${i}`;
    if (!guarded && isPartOf(node.notes[end] ?? [], engine.notes[end] ?? []))
      for (const each of notes) delete each[end];
    const hearsClose = handler.some(
      (each) => each.do === 'listen' && each.to === 'req.socket' && each.event === 'close',
    );
    const own = `request ${i}`;
    if (i > 0 && hearsClose) for (const each of notes) if (each[own] !== undefined) each[own] = namesIn(each[own]);
  }
  return [
    { ...node, notes: notes[0] },
    { ...engine, notes: notes[1] },
  ];
}

/** Whether `all` has the notes of `some` in their order, possibly among others. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const each of all) if (each === some[found]) found++;
  return found === some.length;
}
