'use strict';

const { createHash } = require('node:crypto');

/** A stolen database must not hold usable tokens. They are long and random, so a plain hash is enough. */
const tokenKey = (token) => createHash('sha256').update(token).digest('hex');

/** The accounts. Names are unique without regard to case. */
class Users {
  #users;
  #tokens;
  #beingAdded = new Set();

  constructor(users, tokens) {
    this.#users = users;
    this.#tokens = tokens;
  }

  /** @returns {Promise<{ name: string, password: string } | undefined>} */
  find(name) {
    return this.#users.get(name.toLowerCase());
  }

  /** @returns {Promise<boolean>} false when the name is taken */
  async add(user) {
    const key = user.name.toLowerCase();
    if (this.#beingAdded.has(key)) return false;
    this.#beingAdded.add(key);
    try {
      if ((await this.#users.get(key)) !== undefined) return false;
      await this.#users.put(key, user);
      return true;
    } finally {
      this.#beingAdded.delete(key);
    }
  }

  /** Gives the account a new API token; the one before stops working. */
  async setToken(name, token) {
    const user = await this.find(name);
    if (user.token !== undefined) await this.#tokens.del(user.token);
    user.token = tokenKey(token);
    await this.#tokens.put(user.token, name);
    await this.#users.put(name.toLowerCase(), user);
  }

  async findByToken(token) {
    const name = await this.#tokens.get(tokenKey(token));
    return name === undefined ? undefined : this.find(name);
  }
}

module.exports = { Users };
