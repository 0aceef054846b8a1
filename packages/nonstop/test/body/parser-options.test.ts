import assert = require('node:assert/strict');
import { test } from 'node:test';
import express = require('express');
import { json } from '../../src/body/json.js';
import { raw } from '../../src/body/raw.js';
import { text } from '../../src/body/text.js';
import { urlencoded } from '../../src/body/urlencoded.js';

type Make = (options?: never) => unknown;

const pairs: [string, Make, Make][] = [
  ['json', json, express.json],
  ['raw', raw, express.raw],
  ['text', text, express.text],
  ['urlencoded', urlencoded, express.urlencoded],
];

const options: unknown[] = [
  undefined,
  null,
  {},
  { limit: 'much' },
  { limit: false },
  { limit: NaN },
  { limit: '1mb' },
  { verify: 'function' },
  { verify: true },
  { defaultCharset: 'koi8-r' },
  { parameterLimit: 'few' },
  { parameterLimit: 0 },
  { parameterLimit: 1 },
  { parameterLimit: -1 },
  { parameterLimit: null },
  { parameterLimit: '10' },
  { extended: true, depth: -1 },
  { extended: true, depth: 'deep' },
  { extended: true, depth: null },
  { extended: false, depth: -1 },
];

/** Creates a parser. @returns the parser's name, or the error */
function made(make: Make, value: unknown): string {
  try {
    return (make(value as never) as { name: string }).name;
  } catch (error) {
    return String(error);
  }
}

for (const [name, ours, theirs] of pairs) {
  test(`${name} accepts and refuses the options that Express's does`, () => {
    for (const value of options) assert.equal(made(ours, value), made(theirs, value));
  });
}
