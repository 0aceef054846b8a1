import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import fs = require('node:fs');
import http = require('node:http');
import type net = require('node:net');
import path = require('node:path');
import { test } from 'node:test';
import express = require('express');
import { folder } from '../support/folder.js';
import { ours, type Framework } from '../support/framework.js';

const TEXTS = ['zero\n', 'one, which is longer\n'];
const root = folder({ '0/a.txt': TEXTS[0], '1/a.txt': TEXTS[1] });

/** The tenant whose request is handled. */
const tenant = new AsyncLocalStorage<string>();
const asked: string[] = [];

type AnyFunction = (file: unknown, ...rest: unknown[]) => unknown;

/** Has a function of `fs` choose the file by the request that it is called for. */
function lead(name: 'stat' | 'open' | 'readFile'): () => void {
  const functions = fs as unknown as Record<string, AnyFunction>;
  const original = functions[name];
  functions[name] = (file, ...rest) => {
    const mine = tenant.getStore();
    if (typeof file !== 'string' || mine === undefined) return original(file, ...rest);
    if (name === 'stat') asked.push(mine);
    return original(file.replace(`${path.sep}x${path.sep}`, path.sep + mine + path.sep), ...rest);
  };
  return () => void (functions[name] = original);
}

/** @returns what each of twelve requests at once gets, two tenants in turn */
async function askAtOnce(make: Framework, way: 'static' | 'sendFile'): Promise<string[]> {
  const app = make();
  app.use((req, _res, next) => tenant.run(req.get('tenant')!, next));
  if (way === 'static') app.use(make.static(path.join(root, 'x')));
  else app.use((_req, res) => res.sendFile('a.txt', { root: path.join(root, 'x') }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const get = async (mine: number): Promise<string> => {
    const client = http.get({ host: '127.0.0.1', port, path: '/a.txt', agent: false, headers: { tenant: mine } });
    const [answer] = (await once(client, 'response')) as [http.IncomingMessage];
    let text = `${answer.statusCode} `;
    for await (const chunk of answer) text += String(chunk);
    return text;
  };
  // What is loaded at the first request is no longer in the way.
  await get(0);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => get(i % 2)));
  server.close();
  await once(server, 'close');
  return answers;
}

for (const way of ['static', 'sendFile'] as const) {
  test(`functions of fs that a program has replaced are called for each request of its own (${way})`, async () => {
    const restore = (['stat', 'open', 'readFile'] as const).map(lead);
    try {
      for (const make of [express, ours]) {
        asked.length = 0;
        const answers = await askAtOnce(make, way);
        assert.deepEqual(
          answers,
          Array.from({ length: 12 }, (_, i) => `200 ${TEXTS[i % 2]}`),
        );
        // `send` looks at some files twice.
        for (const mine of ['0', '1']) assert.ok(asked.filter((one) => one === mine).length >= 6, asked.join());
      }
    } finally {
      for (const put of restore) put();
    }
  });
}

for (const way of ['static', 'sendFile'] as const) {
  test(`a file whose stat has failed is not asked for again, and the error is the answer (${way})`, async () => {
    const { stat } = fs;
    const told: unknown[] = [];
    try {
      for (const make of [express, ours]) {
        const app = make().set('env', 'test');
        app.use(way === 'static' ? make.static(root) : (_req, res) => res.sendFile('0/a.txt', { root }));
        let calls = 0;
        let code = '';
        Reflect.set(fs, 'stat', (file: string, ...rest: unknown[]) => {
          calls++;
          if (code === '') return Reflect.apply(stat, fs, [file, ...rest]);
          const error = Object.assign(new Error(code), { code });
          code = '';
          return setImmediate(rest.at(-1) as (error: Error) => void, error);
        });
        const server = app.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as net.AddressInfo;
        for (const failure of ['EACCES', 'ENOENT']) {
          calls = 0;
          code = failure;
          const client = http.get({ host: '127.0.0.1', port, path: '/0/a.txt', agent: false });
          const [answer] = (await once(client, 'response')) as [http.IncomingMessage];
          answer.resume();
          told.push([answer.statusCode, calls]);
        }
        server.close();
        await once(server, 'close');
      }
    } finally {
      Reflect.set(fs, 'stat', stat);
    }
    const expected = [
      [500, 1],
      [404, 1],
    ];
    assert.deepEqual(told, [...expected, ...expected]);
  });
}
