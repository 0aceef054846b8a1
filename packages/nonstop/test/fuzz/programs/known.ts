import type { Seen } from '../../support/plays.js';
import type { Unlike } from '../../support/seen-differences.js';
import type { Program, RequestPlan } from './program.js';

interface Known {
  readonly reason: string;
  readonly fits: (unlike: Unlike, program: Program) => boolean;
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
  {
    reason: 'an answer that was given is sent in front of a refusal, which node has overtake it (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      source === 'wire' &&
      requests.some(({ guarded }) => !guarded) &&
      engine.startsWith(node.slice(0, -1)) &&
      engine.slice(node.length - 1).startsWith('HTTP/1.') &&
      requests.some(closesBehindItself),
  },
  {
    reason: "a response that has waited is closed in front of every listener of the socket's 'close' (docs/compat)",
    fits: ({ source }, { requests }) =>
      requests.some(
        ({ handler }, i) =>
          i > 0 &&
          source === `request ${i}` &&
          handler.some((each) => each.do === 'listen' && each.to === 'req.socket' && each.event === 'close'),
      ),
  },
  {
    reason:
      'whoever begins to listen behind end() hears that it is finished behind the ticks of meanwhile (docs/compat)',
    fits: ({ source, node, engine }, { requests }) =>
      requests.some(({ guarded }, i) => !guarded && source === `request ${i}`) &&
      /^callback of \w+ .*ERR_STREAM_PREMATURE_CLOSE/.test(node) &&
      /^callback of \w+ .*ERR_STREAM_WRITE_AFTER_END/.test(engine),
  },
];

/** Behind its answer the connection closes: a request that follows at once is refused. */
const closesBehindItself = ({ version, fields }: RequestPlan): boolean =>
  (version === '1.0' && !fields.includes('Connection: keep-alive')) || fields.includes('Connection: close');

/** @returns why a difference is known, or nothing when there must be none */
export function knownUnlike(unlike: Unlike, program: Program): string | undefined {
  return KNOWN.find(({ fits }) => fits(unlike, program))?.reason;
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
