'use strict';

const { Readable } = require('node:stream');

// What applications of the lab work on, the same for each framework and for the hand.

const { ENTRIES = 0 } = process.env;

const entries = Array.from({ length: Number(ENTRIES) }, (_, id) => ({
  id,
  title: `An entry with the number ${id}`,
  tags: ['one', 'two'],
  done: id % 3 === 0,
}));

/** A list with its id; about 90 octets of JSON for each entry. */
exports.listOf = (id) => ({ id, entries });

/** Gives a value in a turn of the event loop, as a database does at its fastest. */
exports.fetched = (value) => new Promise((resolve) => setImmediate(resolve, value));

/** @throws {Error} for each tenth */
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
