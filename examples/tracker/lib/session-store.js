'use strict';

const { Store } = require('express-session');

/** How often expired sessions are swept out. */
const SWEEP_MS = 10 * 60_000;

/** Keeps sessions in the tracker's own database, so that a restart logs no user out. */
class LevelSessionStore extends Store {
  #sessions;
  #lifetimeMs;
  #now;
  #sweeper;

  /**
   * @param {import('abstract-level').AbstractSublevel} sessions id → `{ session, expires }`
   * @param {{ lifetimeMs: number, clock: () => Date }} options
   */
  constructor(sessions, { lifetimeMs, clock }) {
    super();
    this.#sessions = sessions;
    this.#lifetimeMs = lifetimeMs;
    this.#now = () => clock().getTime();
    this.#sweeper = setInterval(() => this.sweep().catch(console.error), SWEEP_MS).unref();
    // A database that is being closed must not be swept.
    sessions.db.once('closing', () => clearInterval(this.#sweeper));
  }

  get(id, callback) {
    answer(this.#read(id), callback);
  }

  set(id, session, callback = ignore) {
    answer(this.#sessions.put(id, { session, expires: this.#now() + this.#lifetimeMs }), callback);
  }

  touch(id, session, callback = ignore) {
    this.set(id, session, callback);
  }

  destroy(id, callback = ignore) {
    answer(this.#sessions.del(id), callback);
  }

  /** Removes what has expired. */
  async sweep() {
    for await (const [id, entry] of this.#sessions.iterator()) {
      if (entry.expires <= this.#now()) await this.#sessions.del(id);
    }
  }

  async #read(id) {
    const entry = await this.#sessions.get(id);
    return entry === undefined || entry.expires <= this.#now() ? null : entry.session;
  }
}

function answer(promise, callback) {
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error) => process.nextTick(callback, error),
  );
}

function ignore() {}

module.exports = { LevelSessionStore };
