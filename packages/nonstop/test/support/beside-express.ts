import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import { test } from 'node:test';
import type express = require('express');
import { oracle } from './oracle.js';
import { maskDate } from './both-doors.js';
import { doors } from './doors.js';
import { RawClient } from './raw-http.js';
import { promise } from './served.js';
import { nonstop, version } from './subject.js';

/** The middleware under test, or Express's own. */
export type Kit = Pick<typeof express, 'json' | 'raw' | 'text' | 'urlencoded' | 'static'>;

/** Keeps something that the wire does not show: the arguments of a callback, the order of events. */
export type Note = (what: unknown) => void;

export type Build = (app: express.Express, kit: Kit, note: Note) => void;

/** One application and its requests. */
export interface Case {
  readonly name: string;
  readonly app: Build;
  /** The bytes to send; the last request closes the connection. */
  readonly send: string | Buffer | readonly (string | Buffer)[];
  /** Must match the answer, to prove that the case tests what its name says. */
  readonly shows?: RegExp;
}

const [, engine] = doors;
const OURS = nonstop as unknown as Kit;
const THEIRS: Kit = oracle;

/**
 * A request with a Host field and `Connection: close`.
 *
 * @param line method and target
 * @param fields further fields; undefined removes a default field
 */
export function request(
  line: string,
  fields: Record<string, string | undefined> = {},
  body: string | Buffer = '',
): Buffer {
  const bytes = Buffer.from(body);
  const all: Record<string, string | undefined> = { Host: 'test', Connection: 'close' };
  if (bytes.length > 0) all['Content-Length'] = String(bytes.length);
  Object.assign(all, fields);
  const head = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'), bytes]);
}

/** Removes what always differs: the date of the answer, and of a cookie that expires relative to now. */
function masked(bytes: Buffer): string {
  return maskDate(bytes).replace(/Expires=\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT/g, 'Expires=<then>');
}

/** An object of a class (a view) as a plain object, because the frameworks have different classes. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? { ...value } : value;
}

/** An error as a handler can distinguish it, without the position where it was created. */
export function described(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { thrown: error };
  const fields = Object.entries(error).map(([name, value]: [string, unknown]) => [name, plain(value)] as const);
  return { name: error.name, message: error.message, ...Object.fromEntries(fields) };
}

/** Creates the application of a case: Nonstop's, on its own server, or Express's. */
function application(ours: boolean, build: Build, note: Note): express.Express {
  const app = (ours ? nonstop : oracle)() as express.Express;
  app.set('env', 'production');
  build(app, ours ? OURS : THEIRS, note);
  app.use((error: Error & { status?: number }, _req: unknown, res: http.ServerResponse, _next: unknown) => {
    note(described(error));
    if (res.headersSent) return res.destroy();
    res.statusCode = error.status ?? 500;
    return res.end(error.message);
  });
  return app;
}

/** Plays a case. @returns the bytes of the answers as latin1, and the notes */
async function play(ours: boolean, { app, send }: Case): Promise<{ wire: string; notes: unknown[] }> {
  const notes: unknown[] = [];
  const server = application(ours, app, (what) => notes.push(what)).listen(0, '127.0.0.1');
  promise(server, ours ? engine.serves : 'node:http');
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    for (const piece of Array.isArray(send) ? (send as (string | Buffer)[]) : [send as string | Buffer]) {
      await client.send(piece);
    }
    return { wire: masked(await client.untilClose()), notes };
  } finally {
    client.drop();
    server.closeAllConnections();
    server.close();
  }
}

/** Declares one test for each case: Nonstop and Express give the same bytes and the same notes. */
export function eachAsExpress(cases: readonly Case[]): void {
  for (const each of cases) {
    test(each.name, async () => {
      const expected = await play(false, each);
      if (each.shows !== undefined && version === 5)
        assert.match(expected.wire + JSON.stringify(expected.notes), each.shows);
      assert.deepEqual(await play(true, each), expected);
    });
  }
}
