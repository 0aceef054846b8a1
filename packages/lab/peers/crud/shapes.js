'use strict';

/** An attribute's name, in characters that the database and all JSON parsers treat alike. */
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

/** Text of a given length, different at each place: equal letters would be compressed somewhere on the way. */
const text = (length, place) =>
  Array.from({ length }, (_, at) => letters[(at * 7 + at * at * place + place) % letters.length]).join('');

const list = (length, make) => Array.from({ length }, (_, place) => make(place));

const record = (attributes, length, place) =>
  Object.fromEntries(list(attributes, (at) => [`attribute${at}`, text(length, place * attributes + at)]));

/**
 * The study's four shapes of a record: title, value to send, and a test for values of this shape.
 * A value may be smaller or larger than the study's, as in an API that people use.
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
