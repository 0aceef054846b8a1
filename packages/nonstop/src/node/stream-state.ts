import { Readable } from 'node:stream';
import { nodesProcess } from '../core/clock.js';

/** The part of a stream's state that is used here. In node all of these are properties or accessors of `_readableState`. */
interface State {
  ended: boolean;
  endEmitted: boolean;
  flowing: boolean | null;
  dataEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
  readingMore: boolean;
  emittedReadable: boolean;
  autoDestroy: boolean;
  reading: boolean;
  readonly resumeScheduled: boolean;
}

const stateOf = (stream: object): State => (stream as { readonly _readableState: State })._readableState;

/** Every name of {@link State}: the compiler finds one that is missing here. */
const NEEDED: Readonly<Record<keyof State, true>> = {
  ended: true,
  endEmitted: true,
  flowing: true,
  dataEmitted: true,
  destroyed: true,
  closed: true,
  closeEmitted: true,
  readingMore: true,
  emittedReadable: true,
  autoDestroy: true,
  reading: true,
  resumeScheduled: true,
};

/** What this Node lacks of these. */
export const MISSING_STREAM_STATE: readonly string[] = lackingIn(stateOf(new Readable()));

function lackingIn(state?: State): readonly string[] {
  return state === undefined ? ['_readableState'] : Object.keys(NEEDED).filter((name) => !(name in state));
}

/** Makes an object a stream, as the constructor of a subclass does. Its prototype inherits from `Readable.prototype`. */
export function initializeReadable(target: object, options: { highWaterMark: number; autoDestroy?: boolean }): void {
  Reflect.apply(Readable, target, [options]);
}

/** Stops the stream from reading ahead on its own. node's messages do not: their connection pushes what arrives. */
export function readNoFurther(stream: object): void {
  stateOf(stream).readingMore = true;
}

/** Whether the end was pushed to the stream; data may still be in its buffer. */
export const isEnded = (stream: object): boolean => stateOf(stream).ended;

/** Marks the stream as ended, with `'end'` emitted. */
export function markEnded(stream: object): void {
  const state = stateOf(stream);
  state.ended = true;
  state.endEmitted = true;
}

/** Makes a stream without `autoDestroy` destroy itself at its end; in the next tick if it has ended. */
export function destroyAtEnd(stream: Readable): void {
  stateOf(stream).autoDestroy = true;
  if (stream.readableEnded) nodesProcess.nextTick(() => stream.destroy());
}

/** Marks the stream as flowing for a `'data'` listener. @param some whether any data was emitted */
export function markRead(stream: object, some: boolean): void {
  const state = stateOf(stream);
  state.flowing = true;
  state.dataEmitted = some;
}

/** Marks the stream as one that has emitted data. */
export function markEmitted(stream: object): void {
  stateOf(stream).dataEmitted = true;
}

/** Marks the stream as ended and closed, with `'end'` and `'close'` emitted. */
export function markClosed(stream: object): void {
  markEnded(stream);
  const state = stateOf(stream);
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

/** `push(null)` without the tick that would emit events, for a stream without listeners. */
export function pushEndQuietly(stream: Readable): void {
  const state = stateOf(stream);
  state.emittedReadable = true;
  stream.push(null);
  state.emittedReadable = false;
}

/** Marks the stream as asked for more: until something is pushed it does not ask again. */
export function markReading(stream: object): void {
  const state = stateOf(stream);
  state.reading = true;
  state.readingMore = false;
}

/** Whether `resume()` was called and takes effect in a later tick. */
export function isResumeScheduled(stream: object): boolean {
  return stateOf(stream).resumeScheduled;
}
