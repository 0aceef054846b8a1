'use strict';

const ATTEMPTS = 5;
const WINDOW_MS = 15 * 60_000;
/** Clients choose the names: without a limit they could fill the memory. */
const MOST_KEYS = 10_000;

/** Slows down guessing of one account's password: five failures, then a pause. */
class LoginThrottle {
  #failures = new Map();
  #clock;

  constructor(clock) {
    this.#clock = clock;
  }

  /** @returns {number} seconds to wait before the next attempt for `name`, or 0 */
  secondsToWait(name) {
    const entry = this.#failures.get(name);
    if (entry === undefined) return 0;
    const left = entry.since + WINDOW_MS - this.#clock().getTime();
    if (left <= 0) this.#failures.delete(name);
    return entry.count < ATTEMPTS || left <= 0 ? 0 : Math.ceil(left / 1000);
  }

  failed(name) {
    const entry = this.#failures.get(name) ?? { count: 0, since: this.#clock().getTime() };
    entry.count++;
    this.#failures.delete(name);
    this.#failures.set(name, entry);
    if (this.#failures.size > MOST_KEYS) this.#failures.delete(this.#failures.keys().next().value);
  }

  succeeded(name) {
    this.#failures.delete(name);
  }
}

module.exports = { LoginThrottle };
