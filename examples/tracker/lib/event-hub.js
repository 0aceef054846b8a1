'use strict';

const { EventEmitter } = require('node:events');

/** The number of past events that a client can get after a reconnect. */
const REMEMBERED = 100;

/** Tells every open page about changes of issues. Emits 'event' with `{ id, type, data }`, and 'close' at shutdown. */
class EventHub extends EventEmitter {
  #past = [];
  /** Ids begin with the time of the start: those of an earlier process, which a page may send after a restart, are smaller. */
  #lastId = Date.now();

  constructor() {
    super();
    // One listener for each open page is the normal state here, not a leak.
    this.setMaxListeners(0);
  }

  publish(type, data) {
    const event = { id: ++this.#lastId, type, data };
    this.#past.push(event);
    if (this.#past.length > REMEMBERED) this.#past.shift();
    this.emit('event', event);
  }

  /** @returns {{ id: number, type: string, data: object }[]} the events after `id` that are still remembered */
  since(id) {
    return this.#past.filter((event) => event.id > id);
  }

  close() {
    this.emit('close');
  }
}

module.exports = { EventHub };
