/** A difference in a row of the table of node's methods. */
export interface RowDifference {
  readonly state: string;
  readonly act: string;
  readonly company: string;
  /** What differs, told in a line. */
  readonly line: string;
}

interface Known {
  readonly reason: string;
  /** To be mended: the rule goes when it is. */
  readonly open?: true;
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
  {
    reason: 'a request that nobody read ends when somebody asks, and has not when it is asked at once',
    state: /^a request (that is answered and closed|with an unread body that is answered)$/,
    act: /readableEnded|readable on|closed on|^req\.(readable|closed)/,
  },
  { reason: 'fields that are set by a deprecated property behind the head', act: /_headers/ },
  { reason: "what is read of a request's body that nobody asked for", line: /readableDidRead|readableFlowing/ },
  {
    reason: 'fields of a request that are replaced from outside before they are first read',
    open: true,
    act: /rawHeaders = |_addHeaderLine|rawTrailers/,
  },
  {
    reason: 'a request that is destroyed right after its answer',
    open: true,
    state: /^a request/,
    act: /destroy|ispose|rejection/,
  },
  { reason: 'a request that is pushed to from outside', open: true, state: /^a request/, act: /\b(push|unshift)\b/ },
  {
    reason: 'what is written to an answer that has ended and waits',
    open: true,
    state: /^a response that has ended and waits behind another$/,
  },
  {
    reason: "octets that are written past the response's own methods",
    open: true,
    act: /\b(_send|_writeRaw|writeContinue|writeProcessing|writeEarlyHints|writeInformation)\b/,
  },
  {
    reason: 'the methods that read a stream to its end, on a request that is over',
    open: true,
    state: /^a request/,
    act: /\.(toArray|some|reduce|forEach|find|every|map|filter|flatMap|drop|take|iterator|compose|resume|read|pipe)\b|asyncIterator/,
  },
  {
    reason: 'who begins to listen to an answered request that nobody read hears more than under node (docs/compat)',
    state: /^a request (that is answered and closed|with an unread body that is answered)$/,
    act: /\b(on|once|addListener|prependListener|prependOnceListener)\b/,
  },
  { reason: "a request is read to its end after its answer, as node's are", open: true, act: /_dumpAndClose/ },
  { reason: 'an answer that has ended is corked', open: true, state: /ended|tick after its end/, act: /\b(un)?cork\b/ },
  { reason: 'node takes an answer for ended where the program says so', open: true, act: /^res\.finished = / },
  { reason: "node's parser reads it", act: /^req\.complete = / },
  { reason: 'node turns it off where it frames by length', open: true, act: /^res\.chunkedEncoding = / },
  { reason: 'node hands the connection over by it', act: /^req\.upgrade = / },
  {
    reason: 'where node looks for its own request or size, the engine does not look',
    act: /^res\.(req|outputSize) = /,
  },
];

/** @returns why a difference is known, or nothing when there must be none */
export function knownDifference(row: RowDifference): string | undefined {
  const fits = ({ open, state, act, line }: Known): boolean =>
    !(open === true && process.env['OPEN_DIFFERENCES'] === 'run') &&
    (state?.test(row.state) ?? true) &&
    (act?.test(row.act) ?? true) &&
    (line?.test(row.line) ?? true);
  return KNOWN.find(fits)?.reason;
}
