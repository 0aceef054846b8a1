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
    reason: "methods and accessors of node's prototypes look for what they need in node's own private state",
    open: true,
    act: /^((get|set) of )?(ServerResponse|OutgoingMessage|IncomingMessage)\.prototype/,
  },
  {
    reason: "a response that has ended keeps its socket once it has become node's",
    open: true,
    line: /^res (right after|later|in the end): node (socket|connection|writableFinished|writableLength|outputSize): /,
  },
  {
    reason: 'the engine needs no listener of its own on messages, and node has them',
    open: true,
    act: /(listenerCount|eventNames|listeners|rawListeners)[.(]/,
  },
  {
    reason: 'properties that node can only read take a value silently',
    open: true,
    act: /^res\.(errored|closed|headersSent|writable\w+) = /,
  },
  { reason: "a 'finish' that the program emits does not finish the response", open: true, act: /emit.*"finish"/ },
  {
    reason: 'a socket that is taken from a response, or given to another',
    open: true,
    act: /\b(detachSocket|assignSocket)\b/,
  },
  {
    reason: 'a request whose body nobody has read is not read to its end after its answer',
    open: true,
    state: /^a request (with an unread body that is answered|that is answered and closed)$/,
  },
  { reason: "a request is read to its end after its answer, as node's are", open: true, act: /^req\._dumpAndClose/ },
  {
    reason: 'a callback of an end() that comes too late',
    open: true,
    state: /just ended/,
    act: /^res\.end\(.*callback/,
  },
  {
    reason: 'an answer that is destroyed right after its end',
    open: true,
    state: /just ended|tick after/,
    act: /destroy|ispose|rejection/,
  },
  {
    reason: 'fields of a request that are changed from outside before they are first read',
    open: true,
    act: /^req\.(rawHeaders = |_addHeaderLine)/,
  },
  { reason: 'a request that is told to be destroyed by its property', open: true, act: /destroyed( on req| = )/ },
  {
    reason: 'an answer that has ended is corked',
    open: true,
    state: /ended|tick after its end/,
    act: /^res\.(un)?cork\(/,
  },
  {
    reason: 'what is done to an answer that has ended and waits: it does not wait any more for the engine',
    open: true,
    state: /^a response that has ended and waits behind another$/,
  },
  {
    reason: 'a request that is destroyed right after its answer has not been at its end',
    open: true,
    state: /^a request (that has just been answered|behind another)$/,
    act: /destroy|rejection|ispose/,
  },
  {
    reason: 'the methods that read a stream to its end, on a request that is destroyed',
    open: true,
    state: /^a request that is destroyed$/,
    act: /\.(toArray|some|reduce|forEach|find|every|map|filter|flatMap|drop|take|iterator)\b|asyncIterator|ispose/,
  },
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
