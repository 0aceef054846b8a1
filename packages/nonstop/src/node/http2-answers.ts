import diagnostics = require('node:diagnostics_channel');
import type { ServerHttp2Stream } from 'node:http2';
import { Writable } from 'node:stream';
import { httpDate, nodesProcess } from '../core/clock.js';
import { ownString } from '../core/strings.js';
import { writeRequestClass } from './handle-writes.js';
import { symbolOf } from './symbols.js';
import { hasMark } from './marks.js';

/** A header block with valid names in lower case and valid values; without a prototype. */
type Block = Record<string, string | number | string[]>;

/** A header block as the handle takes it: for each field its name, NUL, its value, NUL and a character for its flags; and the number of fields. */
type List = [text: string, count: number];

/** What the handle keeps for a write or a shutdown while it lasts. */
interface HandleRequest {
  oncomplete?: (this: HandleRequest, status: number) => void;
  /** The result, if it is known before `oncomplete` is set (Node 26.10). */
  writeStatus?: number | null;
  /** The octets, which the handle does not copy. */
  buffer?: Uint8Array;
  /** Keeps the handle alive until the write has ended. With a slow client this may be after the stream has closed, and node calls the handle then. */
  handle?: Handle;
  told?: Told;
}

/** Called when an answer was written to the connection, or with a negative status if it cannot be written. */
export interface Told {
  written(status: number): void;
}

interface Handle {
  respond(list: List, options: number): number;
  writeUtf8String(request: HandleRequest | null, text: string): HandleRequest | number;
  writeLatin1String(request: HandleRequest | null, text: string): HandleRequest | number;
  writeBuffer(request: HandleRequest | null, octets: Uint8Array): HandleRequest | number;
  shutdown(request: HandleRequest): number;
}

interface State {
  flags: number;
  writeQueueSize: number;
  shutdownWritableCalled: boolean;
}

interface Stream extends ServerHttp2Stream {
  [name: symbol]: unknown;
  _events: Record<string, unknown>;
  _eventsCount: number;
  _writableState: Record<'ending' | 'ended' | 'finished' | 'prefinished', boolean> & { corked: number; length: number };
  _readableState: { ended: boolean; endEmitted: boolean; length: number };
  _final(done: () => void): void;
}

/** The parts of node that send an answer, as {@link watchNode} found them. */
interface Ways {
  readonly respond: unknown;
  readonly end: unknown;
  readonly writeRaw: unknown;
  readonly writevRaw: unknown;
  readonly handle: symbol;
  readonly state: symbol;
  readonly session: symbol;
  readonly sentHeaders: symbol;
  readonly updateTimer: symbol;
  /** The flag of a stream whose head has been sent. */
  readonly headSent: number;
  /** The option of a head that ends its stream. */
  readonly noBody: number;
  /** Made for each write before Node 26.10. */
  readonly Write: (new () => HandleRequest) | null;
  readonly Shutdown: new () => HandleRequest;
}

/** Longer bodies are written through the stream, which counts their octets until they are sent. */
const MOST = 65_536;

const finishChannel = diagnostics.channel('http2.server.stream.finish');

/** null: this Node sends answers in an unknown way. */
let ways: Ways | null | undefined;

/** A complete answer. */
export interface WholeAnswer {
  /** The fields of its head. Date is added if `date` is true. */
  readonly block: Block;
  readonly date: boolean;
  readonly body: string | Uint8Array | null;
  /** The octets of the body, in UTF-8. */
  readonly size: number;
  /** null if there is no callback. */
  readonly told: Told | null;
}

/**
 * Sends an answer by the handle of its stream, without the work of `respond()` and `end()`. Afterwards the stream has the state that it
 * would have after these.
 *
 * Does nothing if there is a listener for an event that would not be emitted, or if a method that would not be called was replaced.
 *
 * @param stream a stream with a complete request
 * @returns whether the answer was sent
 */
export function answerDirectly(stream: ServerHttp2Stream, answer: WholeAnswer): boolean {
  const raw = stream as Stream;
  if (answer.size > MOST || finishChannel.hasSubscribers) return false;
  if (ways === undefined) ways = learn(raw);
  if (ways === null || !isOrdinary(raw, ways)) return false;
  const { block, body, size } = answer;
  const handle = raw[ways.handle] as Handle;
  const state = raw[ways.state] as State;
  if (answer.date && block['date'] === undefined) block['date'] = httpDate();
  (raw[ways.updateTimer] as () => void).call(raw);
  if (body === null) shutDown(handle, state, ways);
  // node's own attempt meets the same error and handles it.
  if (handle.respond(listOf(block), body === null ? ways.noBody : 0) < 0) return false;
  raw[ways.sentHeaders] = block;
  state.flags |= ways.headSent;
  if (body !== null) {
    writeOctets(handle, ways, answer);
    countOctets(raw, ways, size);
    shutDown(handle, state, ways);
  }
  markEnded(raw);
  return true;
}

/** Whether a stream passes what its `end()` is given to the handle, which only reads it. Other code may keep the memory, write to it or transfer it. */
export function writesToHandle(stream: ServerHttp2Stream): boolean {
  const raw = stream as Stream;
  if (ways === undefined) ways = learn(raw);
  return ways !== null && raw.end === ways.end && raw._write === ways.writeRaw && raw._writev === ways.writevRaw;
}

function isOrdinary(stream: Stream, { respond, end, handle }: Ways): boolean {
  const { _events: events, _writableState: writable } = stream;
  if (stream.respond !== respond || stream.end !== end || events['finish'] !== undefined) return false;
  if (events['prefinish'] !== undefined || writable.ending || writable.length !== 0 || writable.corked !== 0)
    return false;
  return stream[handle] !== undefined && !stream.destroyed && !stream.closed && !stream.headersSent;
}

/** The status goes first (RFC 9113, 8.3). In `block` a field whose name is a number comes before it, as in every object. */
function listOf(block: Block): List {
  let text = `:status\0${block[':status'] as number}\0\0`;
  let count = 1;
  for (const name in block) {
    if (name === ':status') continue;
    const value = block[name];
    if (typeof value !== 'object') {
      text += lineOf(name, value);
      count++;
      continue;
    }
    for (const one of value) text += `${name}\0${one}\0\0`;
    count += value.length;
  }
  return [text, count];
}

/** The most fields whose last line is kept, and the longest line that is kept: names and values that vary must not fill memory. */
const MOST_LINES = 200;
const LONGEST_LINE = 500;

interface Line {
  value: string | number;
  /** Empty until the value has come twice in a row: most values repeat, an ETag does not. */
  text: string;
}

const lines = new Map<string, Line>();

/** A value may be a part of a large text. */
const keptValue = (value: string | number): string | number => (typeof value === 'string' ? ownString(value) : value);

function lineOf(name: string, value: string | number): string {
  const line = lines.get(name);
  if (line !== undefined && line.value === value) {
    if (line.text === '') line.text = `${name}\0${value}\0\0`;
    return line.text;
  }
  const text = `${name}\0${value}\0\0`;
  if (text.length > LONGEST_LINE) return text;
  if (line !== undefined) {
    line.value = keptValue(value);
    line.text = '';
  } else if (lines.size < MOST_LINES) {
    lines.set(name, { value: keptValue(value), text: '' });
  }
  return text;
}

function writeOctets(handle: Handle, { Write }: Ways, { body, size, told }: WholeAnswer): void {
  const made = Write === null ? null : new Write();
  let result: HandleRequest | number;
  if (typeof body !== 'string') result = handle.writeBuffer(made, body!);
  // As many octets as characters means ASCII, which needs no encoder.
  else if (body.length === size) result = handle.writeLatin1String(made, body);
  else result = handle.writeUtf8String(made, body);
  const request = made ?? (typeof result === 'object' ? result : null);
  if (request === null) {
    if (told !== null) nodesProcess.nextTick(() => told.written(result as number));
    return;
  }
  request.handle = handle;
  if (typeof body !== 'string') request.buffer = body!;
  if (told === null) return;
  request.told = told;
  request.oncomplete = onWritten;
  // A handle that cannot write returns a number, and does not call `oncomplete`.
  const status = typeof result === 'number' && result !== 0 ? result : request.writeStatus;
  if (typeof status === 'number') onWritten.call(request, status);
}

function onWritten(this: HandleRequest, status: number): void {
  const told = this.told;
  this.told = undefined;
  told?.written(status);
}

/** Updates the counts by which a session with a timeout notices that it is sending. */
function countOctets(stream: Stream, { session, state, handle }: Ways, size: number): void {
  const owner = stream[session] as Record<symbol, { writeQueueSize: number; chunksSentSinceLastWrite: number }>;
  (stream[state] as State).writeQueueSize += size;
  owner[state].writeQueueSize += size;
  owner[handle].chunksSentSinceLastWrite = 0;
}

/** Ends the stream: its last frame carries END_STREAM. */
function shutDown(handle: Handle, state: State, { Shutdown }: Ways): void {
  state.shutdownWritableCalled = true;
  handle.shutdown(new Shutdown());
}

/**
 * Sets the state that `end()` and a read of an empty body leave on a stream. node then ends the stream as soon as its answer is sent, instead
 * of reading first, which takes four ticks.
 */
function markEnded(stream: Stream): void {
  const { _writableState: writable, _readableState: readable, _events: events } = stream;
  writable.ending = writable.ended = writable.prefinished = writable.finished = true;
  const unread = readable.ended && readable.length === 0 && stream.readableFlowing === null;
  if (unread && events['end'] === undefined && events['readable'] === undefined) readable.endEmitted = true;
}

function learn(stream: Stream): Ways | null {
  try {
    return watchNode(stream);
  } catch {
    return null;
  }
}

/** Finds out how node sends an answer: calls its methods on an imitation of a stream that records calls. */
function watchNode(stream: Stream): Ways | null {
  const prototype = Object.getPrototypeOf(stream) as Stream;
  // A method without this text was replaced, for example by a monitoring agent, which must see each answer.
  if (!Function.prototype.toString.call(prototype.respond).includes('kUpdateTimer')) return null;
  const handle = symbolOf(stream, 'kHandle');
  const state = symbolOf(stream, 'state');
  const session = symbolOf(stream, 'kSession');
  const updateTimer = symbolOf(Object.getPrototypeOf(prototype) as object, 'kUpdateTimer');
  const Write = writeRequestClass();
  if (!handle || !state || !session || !updateTimer || Write === undefined) return null;
  const symbols = { handle, state, session, updateTimer };
  const head = watch(prototype, symbols, (watched) => watched.respond({ ':status': 200, a: ['b', 'c'], date: 'd' }));
  const empty = watch(prototype, symbols, (watched) => watched.respond({ ':status': 200 }, { endStream: true }));
  const last = watch(prototype, symbols, (watched) => watched._final(() => undefined));
  const sentHeaders = symbolOf(head.object, 'sent-headers');
  const [list, options] = head.given as [List, number];
  const isKnown =
    list.join() === ':status\x00200\0\0a\0b\0\0a\0c\0\0date\0d\0\0,4' &&
    options === 0 &&
    (head.object[state] as State).flags !== 0 &&
    (last.object[state] as State).shutdownWritableCalled;
  if (!isKnown || sentHeaders === undefined || prototype.end !== Writable.prototype.end) return null;
  return {
    ...symbols,
    respond: prototype.respond,
    end: prototype.end,
    writeRaw: genuineWrite(prototype._write),
    writevRaw: genuineWrite(prototype._writev),
    sentHeaders,
    headSent: (head.object[state] as State).flags,
    noBody: empty.given[1] as number,
    Write,
    Shutdown: (last.given[0] as HandleRequest).constructor as new () => HandleRequest,
  };
}

/** node's method; null for one that was replaced. */
const genuineWrite = (method: unknown): unknown => (hasMark(method, 'kWriteGeneric') ? method : null);

interface Symbols {
  readonly handle: symbol;
  readonly state: symbol;
  readonly session: symbol;
  readonly updateTimer: symbol;
}

interface Watched {
  readonly object: Stream;
  /** What its handle was called with. */
  readonly given: unknown[];
}

function watch(prototype: Stream, symbols: Symbols, call: (stream: Stream) => void): Watched {
  let given: unknown[] = [];
  const calledFor =
    (result: number) =>
    (...values: unknown[]): number => {
      given = values;
      return result;
    };
  const object = Object.create(prototype, {
    destroyed: { value: false },
    pending: { value: false },
    end: { value: () => object },
    [symbols.state]: { value: { flags: 0, shutdownWritableCalled: false } },
    [symbols.session]: { value: {} },
    [symbols.updateTimer]: { value: () => undefined },
    [symbols.handle]: { value: { respond: calledFor(0), shutdown: calledFor(1) } },
  }) as Stream;
  call(object);
  return { object, given };
}
