import http2 = require('node:http2');
import type { ServerHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import { symbolOf } from './symbols.js';
import { nodesProcess } from '../core/clock.js';

/** Gets the body of a request, part by part. */
export interface BodyReceiver {
  receive(chunk: Buffer): void;
  /** Called at the end: the body is complete, or its stream was closed. */
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

/** null: this Node reads in an unknown way. */
let reading: ReadingWays | null | undefined;

const { push: nodesPush, read: nodesRead } = Readable.prototype;

/** Returns null: the receiver has the body. node calls `read()` after the end, and node's own would end the stream in another tick. */
const readNothing = (): null => null;

/**
 * Passes what arrives on a stream to a receiver, without its readable side. Other code sees the stream end as usual.
 *
 * Does nothing if data has arrived already, or if the stream has another reader.
 *
 * @returns whether the receiver will get the body
 */
export function receiveDirectly(stream: ServerHttp2Stream, receiver: BodyReceiver): boolean {
  const raw = stream as Stream;
  if (reading === undefined) reading = learnReading(raw);
  if (reading === null || !isUnread(raw)) return false;
  const state = raw[reading.state] as { didRead: boolean };
  raw[kReceiver] = receiver;
  raw.push = pushToReceiver;
  raw.read = readNothing;
  // As node's first `_read()` does.
  raw._readableState.readingMore = false;
  state.didRead = true;
  (raw[reading.handle] as { readStart(): void }).readStart();
  return true;
}

/**
 * Passes the rest of the body to the stream's own readable side again.
 *
 * @returns false if the body has ended already: the receiver is told of that
 */
export function stopReceiving(stream: ServerHttp2Stream): boolean {
  const raw = stream as Stream;
  if (raw._readableState.ended) return false;
  raw[kReceiver] = null;
  raw.push = nodesPush;
  raw.read = nodesRead;
  return true;
}

/** The state of a stream that its session no longer knows. */
const { NGHTTP2_STREAM_STATE_IDLE: IDLE } = http2.constants;

/**
 * Whether a stream that emits `'end'` has received END_STREAM: a stream that is closed early emits it too. For each of the two node adds a
 * listener for `'end'` that destroys the stream. It has closed if its session no longer knows it.
 */
export function isWhole(stream: ServerHttp2Stream): boolean {
  if (!stream.closed) return true;
  // Not learnReading(): a stream that is destroyed by now has no handle.
  const maybeDestroy = reading?.maybeDestroy ?? maybeDestroyOf(stream);
  if (maybeDestroy === undefined) return true;
  const destroyers: unknown[] = [(stream as Stream)[maybeDestroy], stream.destroy];
  const causes = stream.listeners('end').filter((listener) => destroyers.includes(listener)).length;
  const { state, localClose, remoteClose } = stream.state;
  const hasClosed = stream.destroyed || state === IDLE || (localClose === 1 && remoteClose === 1);
  return causes > (hasClosed ? 1 : 0);
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
    // Without trailers the end is told at once: a tick would cost another call from C++. With trailers it is told in a tick.
    if (!this.closed && this._events['end'] === this[reading!.maybeDestroy]) tellEnd(this);
    else nodesProcess.nextTick(tellEnd, this);
  }
  return true;
}

function tellEnd(stream: Stream): void {
  const { _readableState: readable, [kReceiver]: receiver } = stream;
  readable.endEmitted = true;
  receiver!.end();
  stream.emit('end');
}

const maybeDestroyOf = (stream: ServerHttp2Stream): symbol | undefined =>
  symbolOf(Object.getPrototypeOf(Object.getPrototypeOf(stream)) as object, 'kMaybeDestroy');

function learnReading(stream: Stream): ReadingWays | null {
  const handle = symbolOf(stream, 'kHandle');
  const state = symbolOf(stream, 'state');
  const maybeDestroy = maybeDestroyOf(stream);
  if (!handle || !state || !maybeDestroy) return null;
  const { onread, readStart } = stream[handle] as { onread?: unknown; readStart?: unknown };
  const { didRead } = stream[state] as { didRead?: unknown };
  if (typeof onread !== 'function' || typeof readStart !== 'function' || typeof didRead !== 'boolean') return null;
  return Function.prototype.toString.call(onread).includes('stream.push(buf)') ? { handle, state, maybeDestroy } : null;
}
