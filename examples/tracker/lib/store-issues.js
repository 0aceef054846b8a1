'use strict';

/** Keys sort as text, so numbers are padded: 10 comes after 9. */
const keyOf = (id) => String(id).padStart(9, '0');

/** The issues: each is one record with its comments and the names of its attachments. */
class Issues {
  #table;
  #clock;
  /** Writers wait for each other here: a change reads a record, alters it and puts it back. */
  #turn = Promise.resolve();

  constructor(table, clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** @returns {Promise<object | undefined>} */
  find(id) {
    return this.#table.get(keyOf(id));
  }

  /**
   * One page of the issues, newest first.
   *
   * @param {{ state?: string, label?: string, text?: string, page: number, perPage: number }} query
   */
  async list({ state, label, text, page, perPage }) {
    const wanted = text?.toLowerCase();
    const all = await this.#table.values({ reverse: true }).all();
    const found = all.filter(
      (issue) =>
        (label === undefined || issue.labels.includes(label)) &&
        (wanted === undefined || `${issue.title}\n${issue.body}`.toLowerCase().includes(wanted)),
    );
    const open = found.filter((issue) => issue.state === 'open').length;
    const shown = state === undefined ? found : found.filter((issue) => issue.state === state);
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    return {
      items: shown.slice((page - 1) * perPage, page * perPage),
      total: shown.length,
      counts: { open, closed: found.length - open },
      page,
      pages,
      perPage,
    };
  }

  /** @returns {AsyncIterable<object>} every issue, oldest first, as it was when the reading began */
  each() {
    return this.#table.values();
  }

  create({ title, body, labels = [], author, createdAt = this.#clock() }) {
    return this.#exclusively(async () => {
      const [lastKey = '0'] = await this.#table.keys({ reverse: true, limit: 1 }).all();
      const at = createdAt.toISOString();
      const issue = {
        id: Number(lastKey) + 1,
        title,
        body,
        labels,
        author,
        state: 'open',
        createdAt: at,
        updatedAt: at,
        comments: [],
        attachments: [],
      };
      await this.#table.put(keyOf(issue.id), issue);
      return issue;
    });
  }

  /**
   * @param {number} id
   * @param {(issue: object, at: string) => void} change alters the record it is given
   * @returns {Promise<object | undefined>} the changed issue, or nothing when it is gone
   */
  update(id, change) {
    return this.#exclusively(async () => {
      const issue = await this.find(id);
      if (issue === undefined) return undefined;
      issue.updatedAt = this.#clock().toISOString();
      change(issue, issue.updatedAt);
      await this.#table.put(keyOf(id), issue);
      return issue;
    });
  }

  remove(id) {
    return this.#exclusively(() => this.#table.del(keyOf(id)));
  }

  #exclusively(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

module.exports = { Issues };
