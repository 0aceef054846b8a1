'use strict';

/**
 * Stores books: in a file or in memory with node:sqlite (Node 22.13 and later), otherwise only in memory.
 *
 * @typedef {{ id: number, title: string, author: string, version: number }} Book
 * @typedef {{
 *   list(page: { after: number, limit: number }): Book[],
 *   get(id: number): Book | undefined,
 *   add(book: { title: string, author: string }): Book,
 *   update(id: number, version: number, book: { title: string, author: string }): Book | undefined,
 *   remove(id: number): boolean,
 *   close(): void,
 * }} Store
 */

/**
 * @param {string} file a path, or ':memory:'
 * @returns {Store}
 */
function openStore(file) {
  const sqlite = loadSqlite();
  if (sqlite === undefined && file !== ':memory:') {
    console.warn(
      `Node ${process.versions.node} has no node:sqlite: books are kept in memory and lost at the end. Node 22.13 keeps them.`,
    );
  }
  return sqlite === undefined ? memoryStore() : sqliteStore(new sqlite.DatabaseSync(file));
}

function loadSqlite() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  // Before Node 22.13 node:sqlite needs a flag.
  return major > 22 || (major === 22 && minor >= 13) ? require('node:sqlite') : undefined;
}

/** @returns {Store} */
function sqliteStore(database) {
  database.exec(`CREATE TABLE IF NOT EXISTS books (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, author TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1)`);
  // Prepared once; input from clients is only bound to placeholders.
  const list = database.prepare('SELECT * FROM books WHERE id > ? ORDER BY id LIMIT ?');
  const get = database.prepare('SELECT * FROM books WHERE id = ?');
  const add = database.prepare('INSERT INTO books (title, author) VALUES (?, ?) RETURNING *');
  const update = database.prepare(
    'UPDATE books SET title = ?, author = ?, version = version + 1 WHERE id = ? AND version = ? RETURNING *',
  );
  const remove = database.prepare('DELETE FROM books WHERE id = ?');
  return {
    list: ({ after, limit }) => list.all(after, limit),
    get: (id) => get.get(id),
    add: ({ title, author }) => add.get(title, author),
    update: (id, version, { title, author }) => update.get(title, author, id, version),
    remove: (id) => Number(remove.run(id).changes) > 0,
    close: () => database.close(),
  };
}

/** @returns {Store} */
function memoryStore() {
  const books = new Map();
  let last = 0;
  return {
    list: ({ after, limit }) => [...books.values()].filter(({ id }) => id > after).slice(0, limit),
    get: (id) => books.get(id),
    add(book) {
      const added = { id: ++last, ...book, version: 1 };
      books.set(added.id, added);
      return added;
    },
    update(id, version, book) {
      if (books.get(id)?.version !== version) return undefined;
      const updated = { id, ...book, version: version + 1 };
      books.set(id, updated);
      return updated;
    },
    remove: (id) => books.delete(id),
    close: () => books.clear(),
  };
}

module.exports = { openStore };
