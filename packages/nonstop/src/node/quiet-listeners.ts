import type { EventEmitter } from 'node:events';

type Listener = Parameters<EventEmitter['on']>[1];

interface Emitting extends EventEmitter {
  _events?: Record<string, Listener | Listener[] | undefined>;
  _eventsCount: number;
}

/**
 * Adds the first listener for an event to an emitter of node's that listens for `'newListener'` itself, and does not want to know of this
 * event: that event costs a third of a microsecond. Where there is a listener, or somebody else wants to know, it is added as any other.
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
