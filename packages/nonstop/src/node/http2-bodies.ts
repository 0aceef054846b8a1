import type { ServerHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import { symbolOf } from './symbols.js';

/** Gets the body of a request, part by part. */
export interface BodyReceiver {
  receive(chunk: Buffer): void;
  /** Nothing more comes: it is whole, or its stream was closed. */
  end(): void;
}

const kReceiver: unique symbol = Symbol('nonstop.receiver');

interface Stream extends ServerHttp2Stream {
  [name: symbol]: unknown;
  [kReceiver]: BodyReceiver | null;
  _events: Record<string, unknown>;
  _readableState: Record<'ended' | 'endEmitted' | 'readingMore', boolean> & { flowing: boolean | null; length: number };
}

interface ReadingWays {
  readonly handle: symbol;
  readonly state: symbol;
  /** node's listener for the end of a body, which it adds when the last octets have come. */
  readonly maybeDestroy: symbol;
}

/** null: this Node reads in another way than the known ones. */
let reading: ReadingWays | null | undefined;

const { push: nodesPush, read: nodesRead } = Readable.prototype;

/** Nothing can be read: the receiver has it all. node reads behind the end, which would end the stream in a tick of its own. */
const readNothing = (): null => null;

/**
 * Gives what arrives on a stream to a receiver, without the work of its readable side. The stream ends for others as it would.
 *
 * Not where something has arrived already, or somebody else reads: then nothing is done.
 *
 * @returns whether it was done
 */
export function receiveDirectly(stream: ServerHttp2Stream, receiver: BodyReceiver): boolean {
  const raw = stream as Stream;
  if (reading === undefined) reading = learnReading(raw);
  if (reading === null || !isUnread(raw)) return false;
  const state = raw[reading.state] as { didRead: boolean };
  raw[kReceiver] = receiver;
  raw.push = pushToReceiver;
  raw.read = readNothing;
  // What the first `_read()` does.
  raw._readableState.readingMore = false;
  state.didRead = true;
  (raw[reading.handle] as { readStart(): void }).readStart();
  return true;
}

/**
 * Gives the rest of the body to the stream's own readable side.
 *
 * @returns false if the end of the body has come already: the receiver is told
 */
export function stopReceiving(stream: ServerHttp2Stream): boolean {
  const raw = stream as Stream;
  if (raw._readableState.ended) return false;
  raw[kReceiver] = null;
  raw.push = nodesPush;
  raw.read = nodesRead;
  return true;
}

function isUnread(stream: Stream): boolean {
  const { _readableState: readable, _events: events } = stream;
  if (readable.length !== 0 || readable.ended || readable.flowing !== null || stream.destroyed) return false;
  return (
    stream.push === nodesPush &&
    stream.read === nodesRead &&
    events['data'] === undefined &&
    events['end'] === undefined &&
    !events['readable']
  );
}

function pushToReceiver(this: Stream, chunk: Buffer | null): boolean {
  if (chunk !== null) {
    if (!this._readableState.ended) this[kReceiver]!.receive(chunk);
  } else if (!this._readableState.ended) {
    this._readableState.ended = true;
    // A body without trailers ends with its last octets, and a tick for it would be a call from C++ of its own. Trailers are told in a tick.
    if (!this.closed && this._events['end'] === this[reading!.maybeDestroy]) tellEnd(this);
    else process.nextTick(tellEnd, this);
  }
  return true;
}

function tellEnd(stream: Stream): void {
  const { _readableState: readable, [kReceiver]: receiver } = stream;
  readable.endEmitted = true;
  receiver!.end();
  stream.emit('end');
}

function learnReading(stream: Stream): ReadingWays | null {
  const handle = symbolOf(stream, 'kHandle');
  const state = symbolOf(stream, 'state');
  const maybeDestroy = symbolOf(Object.getPrototypeOf(Object.getPrototypeOf(stream)) as object, 'kMaybeDestroy');
  if (!handle || !state || !maybeDestroy) return null;
  const { onread, readStart } = stream[handle] as { onread?: unknown; readStart?: unknown };
  const { didRead } = stream[state] as { didRead?: unknown };
  if (typeof onread !== 'function' || typeof readStart !== 'function' || typeof didRead !== 'boolean') return null;
  return Function.prototype.toString.call(onread).includes('stream.push(buf)') ? { handle, state, maybeDestroy } : null;
}
