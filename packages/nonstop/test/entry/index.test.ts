import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import express = require('express');
import nonstop = require('../../src/entry/index.js');

/** What `import * as name from` sees. */
type Imported = Readonly<Record<string, unknown>>;

const importedExpress = async (): Promise<Imported> => await import('express');
const importedNonstop = async (): Promise<Imported> => await import('../../src/entry/index.mjs');

/** Serves one request of `app`. @returns the body */
async function bodyOf(app: http.RequestListener): Promise<string> {
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the entry', () => {
  test('is a function with the properties of express, of the same kinds', () => {
    const kinds = (callable: object): string[] =>
      Object.entries(callable)
        .map(([name, value]) => `${name}: ${typeof value}`)
        .toSorted();
    assert.equal(typeof nonstop, 'function');
    assert.deepEqual(kinds(nonstop), kinds(express));
  });

  test('import * has the names that Node finds in express', async () => {
    // Node 23 and later add this name to every CommonJS module; ES modules do not have it.
    const names = (imported: Imported): string[] => Object.keys(imported).filter((name) => name !== 'module.exports');
    assert.deepEqual(names(await importedNonstop()), names(await importedExpress()));
  });

  test('import gives the function that require gives, and its properties by name', async () => {
    const imported = await importedNonstop();
    assert.equal(imported['default'], nonstop);
    for (const [name, value] of Object.entries(nonstop)) assert.equal(imported[name], value, name);
  });

  test('a method added to the imported request and response is on the messages of the required module', async () => {
    const imported = await importedNonstop();
    Object.assign(imported['request'] as object, { greeting: () => 'hello' });
    Object.assign(nonstop.response, {
      shout(this: http.ServerResponse, text: string) {
        this.end(text.toUpperCase());
      },
    });
    try {
      const app = nonstop();
      app.use((req, res) => {
        const { greeting } = req as unknown as { greeting(): string };
        (res as unknown as { shout(text: string): void }).shout(greeting());
      });
      assert.equal(await bodyOf(app), 'HELLO');
    } finally {
      Reflect.deleteProperty(nonstop.request, 'greeting');
      Reflect.deleteProperty(imported['response'] as object, 'shout');
    }
  });

  test('each call creates a new application', () => {
    const one = nonstop();
    const other = nonstop();
    one.set('title', 'one');
    assert.notEqual(one, other);
    assert.equal(other.get('title'), undefined);
  });
});
