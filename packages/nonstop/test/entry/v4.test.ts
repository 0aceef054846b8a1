import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import express4 = require('express4');
import nonstop = require('../../src/entry/v4.js');

/** What `import * as name from` sees. */
type Imported = Readonly<Record<string, unknown>>;

const importedExpress = async (): Promise<Imported> => await import('express4');
const importedNonstop = async (): Promise<Imported> => await import('../../src/entry/v4.mjs');

/** Names and kinds of all properties, including those that are not enumerable or throw. */
function kinds(value: object): string[] {
  return Reflect.ownKeys(value)
    .filter((key) => typeof key === 'string' && !['arguments', 'caller', 'length', 'name', 'prototype'].includes(key))
    .map((key) => `${String(key)}: ${kindOf(value, key)}`)
    .toSorted();
}

function kindOf(value: object, key: string | symbol): string {
  const { enumerable } = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
  try {
    return `${enumerable} ${typeof (value as Record<string | symbol, unknown>)[key]}`;
  } catch (error) {
    return `${enumerable} throws ${(error as Error).message}`;
  }
}

describe('the entry of Express 4', () => {
  test('is a function with the properties of Express 4, of the same kinds', () => {
    assert.equal(typeof nonstop, 'function');
    assert.deepEqual(kinds(nonstop), kinds(express4));
  });

  for (const part of ['application', 'Router'] as const) {
    test(`its ${part} has the members of Express 4`, () => {
      assert.deepEqual(kinds(nonstop[part]), kinds(express4[part]));
    });
  }

  for (const part of ['request', 'response'] as const) {
    test(`its ${part} has the members of Express 4`, () => {
      const names = (value: object): string[] => Object.keys(value).toSorted();
      assert.deepEqual(names(nonstop[part]), names(express4[part]));
    });
  }

  test('an application has the properties of one of Express 4', () => {
    assert.deepEqual(kinds(nonstop()), kinds(express4()));
  });

  test('import * has the names that Node finds in Express 4', async () => {
    const names = (imported: Imported): string[] => Object.keys(imported).filter((name) => name !== 'module.exports');
    assert.deepEqual(names(await importedNonstop()), names(await importedExpress()));
  });

  test('import gives the function that require gives, and its properties by name', async () => {
    const imported = await importedNonstop();
    assert.equal(imported['default'], nonstop);
    for (const [name, value] of Object.entries(nonstop)) assert.equal(imported[name], value, name);
  });
});
