// A program that keeps one string of each request, in its own process with --expose-gc. Argument: `node:http`, `engine`,
// `express` or `nonstop`. Prints the octets that each kept string costs, by kind of string.
import assert = require('node:assert/strict');
import express = require('express');
import type http = require('node:http');
import { Duplex } from 'node:stream';
import { doors } from './doors.js';
import { ours } from './framework.js';

type Kept = (req: http.IncomingMessage) => unknown;
type KeptOfExpress = (req: express.Request) => unknown;

const COUNT = 1000;
/** Long enough that V8 does not copy it. */
const COOKIE = 'cookie='.repeat(200);
const QUERY = 'long query '.replaceAll(' ', '-').repeat(60);

const ofNode: Record<string, Kept> = {
  url: (req) => req.url,
  'a value of headers': (req) => req.headers['x-kept'],
  'a value of headers that node does not know': (req) => req.headers['x-forwarded-for'],
  'a value of headersDistinct': (req) => req.headersDistinct['x-kept']?.[0],
  'a value of rawHeaders': (req) => req.rawHeaders.at(-1),
  'a name of rawHeaders': (req) => req.rawHeaders.at(-2),
  rawHeaders: (req) => req.rawHeaders,
  headers: (req) => req.headers,
};
const ofExpress: Record<string, KeptOfExpress> = {
  path: (req) => req.path,
  'a param': (req) => req.params['id'],
  'a value of query': (req) => req.query['kept'],
  'get()': (req) => req.get('X-Kept'),
  originalUrl: (req) => req.originalUrl,
};

const [subject] = process.argv.slice(2);
const framework = subject === 'express' ? express : subject === 'nonstop' ? ours : undefined;
const kinds = framework === undefined ? ofNode : ofExpress;
const door = doors[subject === 'engine' || subject === 'nonstop' ? 1 : 0];

let take: (req: http.IncomingMessage) => void = () => {};
const answer = (req: http.IncomingMessage, res: http.ServerResponse): void => {
  take(req);
  res.end();
};
const server = door.createServer({}, framework === undefined ? answer : framework().get('/kept/:id', answer as never));

/** @param cut where the head is cut into two reads; 0 for one read */
async function octetsPerString(of: Kept, cut: number): Promise<number> {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', connection);
  const ask = async (i: number): Promise<unknown> => {
    const id = String(i).padStart(100, 'i');
    const path = framework === undefined ? `/kept/${id}` : `/kept/${id}?kept=${id}&long=${QUERY}`;
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${COOKIE}\r\nX-Forwarded-For: ${id}\r\nX-Kept: ${id}\r\nX-Kept-As-Well: ${id}\r\n\r\n`;
    const kept = new Promise((resolve) => (take = (req) => resolve(of(req))));
    if (cut > 0) {
      connection.push(head.slice(0, cut));
      await turn();
    }
    connection.push(head.slice(cut));
    const one = await kept;
    // The request is finished, so its garbage can be collected.
    await turn();
    return one;
  };
  const all: unknown[] = Array.from({ length: COUNT });
  for (let i = 0; i < COUNT / 4; i++) assert.ok(await ask(i));
  const before = used();
  for (let i = 0; i < COUNT; i++) all[i] = await ask(i);
  const octets = (used() - before) / COUNT;
  connection.destroy();
  assert.equal(all.length, COUNT);
  return octets;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function used(): number {
  global.gc?.();
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

async function measure(): Promise<void> {
  const octets: Record<string, number> = {};
  // Code and caches, which are made once, do not count for any string.
  for (const of of Object.values(kinds)) await octetsPerString(of as Kept, 100);
  for (const [name, of] of Object.entries(kinds)) {
    octets[name] = await octetsPerString(of as Kept, 0);
    octets[`${name}, of a head in two reads`] = await octetsPerString(of as Kept, 100);
  }
  process.stdout.write(JSON.stringify(octets));
}

void measure().then(() => process.exit());
