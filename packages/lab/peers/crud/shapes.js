'use strict';

/** An attribute's name: what the database and every JSON parser agree on. */
const attribute = /^[A-Za-z]\w{0,63}$/;

const longest = 100_000;
const most = 1000;

const isText = (value) => typeof value === 'string' && value.length <= longest;
const isList = (value, isItem) => Array.isArray(value) && value.length <= most && value.every(isItem);
const isRecord = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length <= most && names.every((name) => attribute.test(name) && isText(value[name]));
};

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Text of a length, another for each place: what is all the same letter would be compressed somewhere on its way. */
const text = (length, place) =>
  Array.from({ length }, (_, at) => letters[(at * 7 + at * at * place + place) % letters.length]).join('');

const list = (length, make) => Array.from({ length }, (_, place) => make(place));

const record = (attributes, length, place) =>
  Object.fromEntries(list(attributes, (at) => [`attribute${at}`, text(length, place * attributes + at)]));

/**
 * The study's four shapes of a record: what it is called, the value that is sent, and which values are of this shape.
 * A value may be smaller or larger than the study's, as it may in an API that people use.
 */
module.exports = {
  string: { title: 'a string of 1000 characters', make: () => text(1000, 0), accepts: isText },
  array: {
    title: 'an array of 100 strings of 100 characters',
    make: () => list(100, (place) => text(100, place)),
    accepts: (value) => isList(value, isText),
  },
  object: {
    title: 'an object of 100 attributes of 100 characters',
    make: () => record(100, 100, 0),
    accepts: isRecord,
  },
  objects: {
    title: 'an array of 50 objects of 50 attributes of 50 characters',
    make: () => list(50, (place) => record(50, 50, place)),
    accepts: (value) => isList(value, isRecord),
  },
};
