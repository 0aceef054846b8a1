/** A known difference in a row of the table of node's methods. */
export interface RowDifference {
  readonly state: string;
  readonly act: string;
  readonly company: string;
  /** The difference, in one line. */
  readonly line: string;
}

interface Known {
  readonly reason: string;
  readonly state?: RegExp;
  readonly act?: RegExp;
  readonly line?: RegExp;
}

const KNOWN: readonly Known[] = [
  {
    reason: "node ends the process by an assertion where a program emits a second 'finish'; the engine lets it pass",
    act: /emit.*"finish"/,
  },
  {
    reason:
      'a socket that is taken from a response under way: node ends the process by an assertion when the answer is sent',
    act: /\b(detachSocket|assignSocket|_flushOutput)\b/,
  },
  {
    reason: "node's own 'end' listener on a request whose body is under way",
    state: /^a request/,
    act: /eventNames|listenerCount|listeners|rawListeners|emit.*"end"/i,
  },
  { reason: 'fields that are set by a deprecated property behind the head', act: /_headers/ },
  { reason: 'how much is read of an unused body of a request', line: /readableDidRead|readableFlowing/ },
  {
    reason: 'a listener added to an answered, unread request gets more events than under node (docs/compat)',
    state: /^a request (that is answered and closed|with an unread body that is answered)$/,
    act: /\b(on|once|addListener|prependListener|prependOnceListener)\b/,
  },
  { reason: 'node takes an answer for ended where the program says so', act: /^res\.finished = / },
  { reason: "node's parser reads it", act: /^req\.complete = / },
  { reason: 'node hands the connection over by it', act: /^req\.upgrade = / },
  {
    reason: 'where node looks for its own request or size, the engine does not look',
    act: /^res\.(req|outputSize) = /,
  },
];

/** @returns why a difference is known; undefined for an unknown one */
export function knownDifference(row: RowDifference): string | undefined {
  const fits = ({ state, act, line }: Known): boolean =>
    (state?.test(row.state) ?? true) && (act?.test(row.act) ?? true) && (line?.test(row.line) ?? true);
  return KNOWN.find(fits)?.reason;
}
