import { EMPTY_REQUESTS_END_AT_ONCE } from '../../../src/node/differences.js';
import type { Seen } from '../../support/plays.js';
import { unlike, type Unlike } from '../../support/seen-differences.js';
import { withBodies } from '../search.js';
import type { Statement } from '../programs/program.js';
import { WRONG_LENGTH } from './answer.js';
import type { StreamProgram } from './program.js';

/** @returns the differences between node:http over HTTP/1 and this package over HTTP/2 for which docs/compat has no reason */
export function unknown(program: StreamProgram, node: Seen, engine: Seen): Unlike[] {
  if (unlike(withBodies(node), withBodies(engine)).length === 0) return [];
  const uncaught = node.notes['uncaught'] ?? [];
  if (uncaught.length > 0 && engine.notes['uncaught']?.[0] === uncaught[0]) return [];
  const isEarly = isAnsweredEarly(program, node) || isAnsweredEarly(program, engine);
  const notes = JSON.stringify([node.notes, engine.notes]);
  if (KNOWN_PROGRAMS.some((fits) => fits(program, { notes, isEarly, wire: node.wire }))) return [];
  const [over1, over2] = [node, engine].map((seen) =>
    byTopic(withoutLateEnds(withBodies(seen), [node, engine]), isEarly),
  );
  return unlike(over1, over2).filter((each) => !KNOWN.some((fits) => fits(each, { program, node, engine })));
}

interface Played {
  readonly notes: string;
  readonly isEarly: boolean;
  readonly wire: string;
}

/** Programs whose acts depend on what differs: nothing after these acts can be compared. */
const KNOWN_PROGRAMS: readonly ((program: StreamProgram, played: Played) => boolean)[] = [
  // HTTP/2 does not read the rest of a request that is answered before its end.
  (program, { isEarly }) => isEarly && hearsRequest(program),
  // What ends first: the request, or the response.
  (program) => hearsResponse(program) && hearsRequest(program),
  ({ handler }) => handler.some((each) => listensTo('res', each) && each.then.some((act) => act.includes('req.'))),
  // A request with a body closes with its stream, as that of node:http2.
  ({ body, handler }) =>
    body.kind !== 'none' && handler.some((each) => listensTo('req', each) && each.event === 'close'),
  // A response is closed later: a pipeline ends it in other ticks, and one into a response that was ended fails at another moment.
  (program, { notes, isEarly }) =>
    notes.includes('callback of pipeline (Error') ||
    (notes.includes('pipeline(') && (isEarly || hearsRequest(program))),
  // What is written after `end()` fails in a response that is closed already over HTTP/1, and not yet over HTTP/2.
  ({ handler }, { notes }) =>
    notes.includes('ERR_STREAM_WRITE_AFTER_END') &&
    handler.some((each) => each.do === 'listen' && each.event === 'error' && each.then.length > 0),
  // Whether an answer that is destroyed has left, and its request has ended, depends on when its octets leave. An empty request ends
  // nevertheless over HTTP/1.
  (program) =>
    destroys(program) &&
    (hearsRequest(program) ||
      hearsResponse(program) ||
      /req\.destroy\(.*collect\(|destroy\(.*pipe\(/.test(JSON.stringify(program))),
  // Only HTTP/1 refuses to announce trailers of an answer that is not chunked.
  (_program, { notes }) => notes.includes('ERR_HTTP_TRAILER_INVALID'),
  // A client of HTTP/2 refuses an answer with a wrong length.
  (_program, { wire }) => wire === WRONG_LENGTH,
  // Which of two readers gets the octets depends on whether they are there when the second one begins: over HTTP/2 they come a tick later.
  (program) => /'readable'[^]*collect\(req\)|collect\(req\)[^]*'readable'/.test(JSON.stringify(program.handler)),
  // node's client of HTTP/2 ends a body before it resets its stream: without a length the server may take it for whole.
  ({ body, ending }) => ending === 'drop' && body.kind === 'chunked' && !body.second && !body.atOnce,
  // A length beside chunks does not count over HTTP/1. Over HTTP/2 there are no chunks, so it does.
  (_program, { notes }) => /transfer-encoding/i.test(notes) && /content-length/i.test(notes),
];

/** Whether a statement is a listener that acts. */
const listensTo = (to: 'res' | 'req', each: Statement): each is Extract<Statement, { do: 'listen' }> =>
  each.do === 'listen' && each.to === to && each.then.length > 0;

/** Whether events of the request cause acts. */
const hearsRequest = ({ handler, ends }: StreamProgram): boolean =>
  ends === 'body' || handler.some((each) => listensTo('req', each));

const hearsResponse = ({ handler }: StreamProgram): boolean =>
  handler.some((each) => listensTo('res', each) && each.event !== 'error');

const destroys = ({ handler }: StreamProgram): boolean => JSON.stringify(handler).includes('destroy(');

type Fits = (unlike: Unlike, played: { program: StreamProgram; node: Seen; engine: Seen }) => boolean;

const KNOWN: readonly Fits[] = [
  // A client of HTTP/2 refuses an answer with a wrong length, unless its stream has ended already.
  ({ source }, { node, engine }) =>
    (source === 'wire' || source === 'ending') && engine.ending !== 'open' && isCutShort(node),
  // What does not fit the client's window is not sent before a stream is reset; a connection has its own buffer.
  ({ source, engine }, { program }) =>
    (source === 'wire' || source === 'ending') &&
    program.window < 1000 &&
    destroys(program) &&
    (engine === '""' || engine === 'reset'),
  // A corked connection keeps the head too, and node leaves it corked behind `res.end(true)`, which it refuses; a corked stream keeps parts only.
  ({ source, node }, { program }) =>
    (source === 'wire' || source === 'ending') &&
    (node === '""' || node === 'reset' || node === 'open') &&
    /res\.(?:(?:un)?cork\(\)|end\(true\))/.test(JSON.stringify(program)),
  // Over HTTP/1 an interim answer behind a finished one waits in it for ever, so that it is no longer finished.
  ({ source }, { program }) =>
    source.endsWith('callback of finished') &&
    /res\.write(?:Continue|Processing|EarlyHints)\(/.test(JSON.stringify(program)),
  // HTTP/2 sends trailers with each answer, HTTP/1 only with a chunked one.
  ({ source, node, engine }, { program }) =>
    source === 'wire' &&
    JSON.stringify(program).includes('railer') &&
    engine.replace(TRAILERS, '') === node.replace(TRAILERS, ''),
  // Whether an answer that is destroyed, or written to after its end, has left before depends on when its octets leave.
  ({ source }, { program, engine }) =>
    (/(?:callback of (?:finished|end)|of the (?:response|request))$/.test(source) && destroys(program)) ||
    (source.endsWith('callback of finished') && JSON.stringify(engine.notes).includes('ERR_STREAM_WRITE_AFTER_END')),
  // What is written after `end()` fails in a response that is closed already over HTTP/1, and not yet over HTTP/2.
  ({ source, node, engine }) =>
    (source.includes('errors of') || source === 'uncaught') &&
    `${node} ${engine}`.includes('ERR_STREAM_WRITE_AFTER_END'),
  // The head of an answer that has no body ends a stream: nothing is cut off when its client leaves before the handler has called `end()`.
  ({ source, node }, { engine }) =>
    source.endsWith('of the request') &&
    /^req (?:aborted|error) /.test(node) &&
    engine.ending === 'end' &&
    !JSON.stringify(engine.notes).includes('res finish '),
  // A request with a body closes with its stream, as that of node:http2: `'close'` comes later, and `stream.finished()` does not wait for it.
  // Only the order may differ.
  ({ source, node, engine }, { program, ...played }) =>
    AROUND_CLOSE.test(node) &&
    AROUND_CLOSE.test(engine) &&
    program.body.kind !== 'none' &&
    source.endsWith(OF_THE_REQUEST) &&
    notesAroundClose(source, played.node) === notesAroundClose(source, played.engine),
  // A callback that a closed response is given: only HTTP/2 tells it that the answer has not left.
  ({ source, node }) => source.endsWith('errors of callback of end') && node === 'nothing',
  // A request that was not used before its answer ends on first use.
  ({ source, node, engine }, { program }) =>
    !program.guarded &&
    ((source.startsWith('end of request') && (node === 'nothing' || engine.startsWith('req end '))) ||
      (source.endsWith('of the request') &&
        (engine === 'nothing' || (/^req\.(?:readable|closed|destroyed)/.test(node) && areSameReadings(node, engine))))),
  // node:http ends an empty request with its answer; over HTTP/2 it is read to its end then.
  ({ source, node, engine }, { program }) =>
    EMPTY_REQUESTS_END_AT_ONCE &&
    program.body.kind === 'none' &&
    source.endsWith('of the request') &&
    (node.startsWith('req.') || engine.startsWith('req.')),
  // Whether a write fails, and its callback hears of it, after the connection is gone differs between versions of node:http too.
  ({ source, node, engine }, { program }) =>
    (destroys(program) || program.ending === 'drop' || program.ends !== 'now') &&
    (source.endsWith('callback of write') || (node.startsWith('res.write(') && areSameReadings(node, engine))),
  // A response has its socket until it is finished, which is later over HTTP/2; until then it can send interim answers.
  ({ source, node, engine }) =>
    source.endsWith('callback of continue') ||
    (/^res\.(?:socket|closed|destroyed) →/.test(node) && areSameReadings(node, engine)),
];

/** Whether two notes are results of the same act. */
const areSameReadings = (node: string, engine: string): boolean => node.split(' →', 1)[0] === engine.split(' →', 1)[0];

const AROUND_CLOSE = /^(?:req (?:error|close|end) |callback of finished req |collect\(req\) re)/;

const OF_THE_REQUEST = ', of the request';

const notesAroundClose = (source: string, { notes }: Seen): string =>
  JSON.stringify(
    (notes[source.replace(OF_THE_REQUEST, '')] ?? []).filter((note) => AROUND_CLOSE.test(note)).toSorted(),
  );

const TRAILERS = /,\\"trailers\\":\[.*\]/;

const ALREADY_FINISHED = 'callback of end (Error ERR_STREAM_ALREADY_FINISHED';

/** An answer is finished in `end()` over HTTP/1, and over HTTP/2 when its session has sent it: a later call hears of that, or waits for it. */
function withoutLateEnds(seen: Seen, both: readonly Seen[]): Seen {
  if (!JSON.stringify(both).includes(ALREADY_FINISHED)) return seen;
  const notes = Object.entries(seen.notes).map(([source, all]) => [
    source,
    all.filter((note) => !note.startsWith('callback of end ')),
  ]);
  return { ...seen, notes: Object.fromEntries(notes) as Seen['notes'] };
}

const isCutShort = ({ ending, notes }: Seen): boolean =>
  ending === 'open' && JSON.stringify(notes).toLowerCase().includes('content-length');

const ENDS = /^(?:res\.end\(|callback of pipeline |res\.destroy\(|req\.destroy\(|req\.socket\.destroy\()/;

/** Whether an answer ends before its request: then HTTP/2 ends the stream, and HTTP/1 reads the rest and drops it. */
function isAnsweredEarly({ body }: StreamProgram, { notes }: Seen): boolean {
  if (body.kind === 'none') return false;
  const all = notes['request 0'] ?? [];
  const end = all.findIndex((note) => ENDS.test(note));
  const read = all.findIndex((note) => note.startsWith('req end '));
  return end !== -1 && (read === -1 || end < read);
}

const OF_REQUEST =
  /^(?:req (?:end|close|aborted|error|pause|resume) |collect\(req\) re|callback of finished req |req\.)/;
const OF_RESPONSE = /^res (?:finish|close|prefinish|error|pipe|unpipe) /;

/**
 * Notes of acts, of events of the request and of events of the response, each in their order: which comes first depends on when octets leave, which
 * is later over HTTP/2.
 *
 * @param isEarly without the notes about the request
 */
function byTopic(seen: Seen, isEarly: boolean): Seen {
  const notes: Record<string, readonly string[]> = {};
  const topics: Record<string, string[]> = {};
  for (const [source, all] of Object.entries(seen.notes)) {
    const acts: string[] = [];
    for (const note of all) {
      const topic = topicOf(note);
      if (topic === undefined) acts.push(note);
      else if (topic !== 'the request' || !isEarly) (topics[`${source}, of ${topic}`] ??= []).push(note);
    }
    if (acts.length > 0 && !(isEarly && source.startsWith('body of '))) notes[source] = acts;
  }
  return { ...seen, notes: { ...notes, ...topics } };
}

function topicOf(note: string): string | undefined {
  if (OF_REQUEST.test(note)) return 'the request';
  const [callback] = /^callback of \w+/.exec(note) ?? [];
  if (callback !== undefined) return note.includes('Error') ? `errors of ${callback}` : callback;
  if (!OF_RESPONSE.test(note)) return undefined;
  return note.includes('Error') ? 'errors of the response' : 'the response';
}
