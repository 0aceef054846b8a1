import type { EventEmitter } from 'node:events';

type Listener = Parameters<EventEmitter['on']>[1];

interface Emitting extends EventEmitter {
  _events?: Record<string, Listener | Listener[] | undefined>;
  _eventsCount: number;
}

/**
 * Adds the first listener for an event to an emitter of node's without emitting `'newListener'`, which costs a third of a microsecond: node's
 * own listener for that ignores this event. If the event has a listener already, or `'newListener'` has others, this is `emitter.on()`.
 */
export function listenQuietly(emitter: EventEmitter, event: string, listener: Listener): void {
  const raw = emitter as Emitting;
  const { _events: events } = raw;
  if (events === undefined || events[event] !== undefined || typeof events['newListener'] !== 'function') {
    emitter.on(event, listener);
    return;
  }
  events[event] = listener;
  raw._eventsCount++;
}

/** Replaces a listener for an event, in its position, without emitting `'newListener'` or `'removeListener'`. */
export function putListener(emitter: EventEmitter, event: string, from: Listener, to: Listener): void {
  const events = (emitter as Emitting)._events!;
  const found = events[event];
  if (Array.isArray(found)) events[event] = found.map((each) => (each === from ? to : each));
  else if (found === from) events[event] = to;
}

/** Whether `listener` is the first one for an event. `listeners()` would copy the list for that, at the price of an array for each request. */
export function isFirstListener(emitter: EventEmitter, event: string, listener: unknown): boolean {
  const found = (emitter as Emitting)._events?.[event];
  return found === listener || (Array.isArray(found) && found[0] === listener);
}
