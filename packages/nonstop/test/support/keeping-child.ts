// A program that keeps one string of each request, in its own process with --expose-gc. Argument: `node:http`, `engine`,
// `express` or `nonstop`. Prints the octets that each kept string costs, by kind of string.
import assert = require('node:assert/strict');
import express = require('express');
import type http = require('node:http');
import { once } from 'node:events';
import net = require('node:net');
import { Duplex } from 'node:stream';
import { doors } from './doors.js';
import { ours } from './framework.js';
import { holderOf } from './served.js';

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

interface OfBody {
  readonly type: string;
  readonly of: KeptOfExpress;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Of requests on a real connection, whose octets the engine does not own. */
const ofBodies: Record<string, OfBody> = {
  'a value of a JSON body': { type: JSON_TYPE, of: (req) => req.body.kept },
  'a name of a JSON body': { type: JSON_TYPE, of: (req) => Object.keys(req.body)[1] },
  'a JSON body': { type: JSON_TYPE, of: (req) => req.body },
  'a value of a form': { type: FORM_TYPE, of: (req) => req.body.kept },
  'a name of a form': { type: FORM_TYPE, of: (req) => Object.keys(req.body)[1] },
  'a form': { type: FORM_TYPE, of: (req) => req.body },
  'a text': { type: 'text/plain', of: (req) => req.body },
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
function application({ json, text, urlencoded }: typeof express): express.Express {
  const app = framework!();
  app.get('/kept/:id', answer as never);
  app.post('/', json(), text(), urlencoded({ extended: false }), answer as never);
  return app;
}
const server = door.createServer({}, framework === undefined ? answer : application(framework));

/** @param cut where the head is cut into two reads; 0 for one read */
async function octetsPerString(of: Kept, cut: number, count = COUNT): Promise<number> {
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
  const octets = await octetsOf(ask, count);
  connection.destroy();
  return octets;
}

async function octetsOf(ask: (i: number) => Promise<unknown>, count: number): Promise<number> {
  const all: unknown[] = Array.from({ length: count });
  for (let i = 0; i < COUNT / 4; i++) assert.ok(await ask(i));
  const before = used();
  for (let i = 0; i < count; i++) all[i] = await ask(i);
  const octets = (used() - before) / count;
  assert.equal(all.length, count);
  return octets;
}

async function octetsPerBody({ type, of }: OfBody, count = COUNT): Promise<number> {
  server.listen(0, '127.0.0.1');
  server.once('connection', (socket: net.Socket) => assert.equal(holderOf(socket), door.serves));
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').setNoDelay();
  const octets = await octetsOf(async (i) => {
    const id = String(i).padStart(100, 'i');
    const body = type === FORM_TYPE ? `kept=${id}&name-${id}=${i}` : JSON.stringify({ kept: id, [`name-${id}`]: i });
    const fields = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nCookie: ${COOKIE}`;
    const kept = new Promise((resolve) => (take = (req) => resolve(of(req as express.Request))));
    const answered = once(client, 'data');
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n${body}`);
    const one = await kept;
    await answered;
    await turn();
    return one;
  }, count);
  client.destroy();
  server.close();
  await once(server, 'close');
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
  for (const of of Object.values(kinds)) await octetsPerString(of as Kept, 100, 1);
  for (const [name, of] of Object.entries(kinds)) {
    octets[name] = await octetsPerString(of as Kept, 0);
    octets[`${name}, of a head in two reads`] = await octetsPerString(of as Kept, 100);
  }
  if (framework !== undefined) {
    for (const of of Object.values(ofBodies)) await octetsPerBody(of, 1);
    for (const [name, of] of Object.entries(ofBodies)) octets[name] = await octetsPerBody(of);
  }
  process.stdout.write(JSON.stringify(octets));
}

void measure().then(() => process.exit());
