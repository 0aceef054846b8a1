'use strict';

const { Readable } = require('node:stream');

// Data and functions of the lab's applications, the same for each framework and for the handwritten server.

const { ENTRIES = 0, WAIT } = process.env;

const entries = Array.from({ length: Number(ENTRIES) }, (_, id) => ({
  id,
  title: `An entry with the number ${id}`,
  tags: ['one', 'two'],
  done: id % 3 === 0,
}));

/** A list with its id; about 90 octets of JSON for each entry. */
exports.listOf = (id) => ({ id, entries });

/** Returns a value in the next turn of the event loop, like the fastest possible database. */
exports.fetched = (value) => new Promise((resolve) => setImmediate(resolve, value));

const unanswered = [];

/** The number of `queried()` without an answer. */
exports.waiting = () => unanswered.length;

/** A query of a database that answers after WAIT milliseconds; never without WAIT. */
exports.queried = () =>
  new Promise((resolve) => (WAIT === undefined ? unanswered.push(resolve) : setTimeout(resolve, Number(WAIT))));

/** @throws {Error} for every tenth id */
exports.orderOf = (id) => {
  if (Number(id) % 10 === 0) throw new Error(`There is no order ${id}`);
  return { id, items: [`item ${id}`, 'another'] };
};

exports.tableOf = (id) => ({
  title: `Table ${id}`,
  rows: Array.from({ length: 100 }, (_, row) => ({ id: row, name: `row <${row}> of ${id}`, price: row * 7 })),
});

const part = Buffer.alloc(65_536, 'x');

/** 1 MB in parts of 64 kB. */
exports.megabyte = () => {
  let left = 16;
  return new Readable({
    read() {
      this.push(left-- > 0 ? part : null);
    },
  });
};
