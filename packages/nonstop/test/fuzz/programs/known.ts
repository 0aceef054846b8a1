import type { Seen } from '../../support/plays.js';
import type { Unlike } from '../../support/seen-differences.js';
import type { Program } from './program.js';

interface Known {
  readonly reason: string;
  /** To be mended: the rule goes when it is. */
  readonly open?: true;
  readonly fits: (unlike: Unlike, source: string) => boolean;
}

/** What a listener noted, and the AsyncLocalStorage store that it ran in. */
const IN_STORE = /^(.*) in (undefined|request \d+)$/s;

/** 100, 102 or 103: a status line, perhaps fields, an empty line. */
const INTERIM = /HTTP\/1\.1 10[023] [A-Z][^\\]*(?:\\r\\n[^\\]+)*\\r\\n\\r\\n/g;

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
      'a listener runs in the store of its own request, or in none; which of the two is the same only for most events',
    fits: ({ node, engine }) => {
      const [, seen, store] = IN_STORE.exec(node) ?? [];
      const [, engineSeen, engineStore] = IN_STORE.exec(engine) ?? [];
      return seen !== undefined && seen === engineSeen && [store, engineStore].includes('undefined');
    },
  },
];

/**
 * @param source the program, runnable
 * @returns why a difference is known, or nothing when there must be none
 */
export function knownUnlike(unlike: Unlike, source: string): string | undefined {
  return KNOWN.find(({ fits }) => fits(unlike, source))?.reason;
}

/** What shows that the stream of a request has ended, beside what it carried and its events. */
const READING_ITS_END = /^req\.(?:readable(?:Ended|Flowing|DidRead)?|closed|destroyed|isPaused\(\)) → /;

/**
 * A request that nobody has touched before it was answered ends when somebody asks (docs/compat): when it does is not compared.
 * A request that the program listens to for errors is touched.
 */
export function withoutLateEnds({ requests }: Program, seen: Seen): Seen {
  const notes = { ...seen.notes };
  for (const [i, { guarded }] of requests.entries()) {
    const source = `request ${i}`;
    if (guarded) continue;
    delete notes[`end of ${source}`];
    if (notes[source] !== undefined) notes[source] = notes[source].filter((text) => !READING_ITS_END.test(text));
  }
  return { ...seen, notes };
}

/** Kinds of programs on which the doors still differ now and then. The test leaves them out, `npm run fuzz:programs` does not. */
const OPEN_CLASSES: Readonly<Record<string, (program: Program, source: string) => boolean>> = {
  'errors that nobody listens for': ({ requests }) => requests.some(({ guarded }) => !guarded),
  'what is done to the socket': (_program, source) => /req\.socket/.test(source),
  'deadlines of messages': (_program, source) => source.includes('setTimeout('),
  'messages that are destroyed': (_program, source) => /re[qs]\.destroy\(|pipeline\(|collect\(/.test(source),
  'lengths that are wrong': (_program, source) => /content-length/i.test(source) || source.includes('strict'),
  'clients that half-close, hang up or stop half-way': ({ ending, slow, server, requests }) =>
    ending !== 'probe' ||
    slow ||
    server.halfOpen ||
    server.clientError ||
    requests.some(({ cut }) => cut !== undefined),
  'interim answers': (_program, source) => /Expect|writeContinue|writeProcessing|EarlyHints/.test(source),
  'values that cannot be written': (_program, source) => /res\.write\(null|res\.end\(true|pipe\(/.test(source),
};

/** @returns the kind of program that is left out of the test, or nothing */
export function openClass(program: Program): string | undefined {
  const source = JSON.stringify(program.requests);
  return Object.keys(OPEN_CLASSES).find((name) => OPEN_CLASSES[name](program, source));
}
