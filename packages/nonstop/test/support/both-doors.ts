import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import type net = require('node:net');
import { test } from 'node:test';
import { doors, type Door } from './doors.js';
import { isSilent } from './silent-scenarios.js';
import { openDifference } from './open-differences.js';
import { RawClient, type RawAnswer } from './raw-http.js';
import { holderOf } from './served.js';
import { ServerEnds } from './server-ends.js';
import { isRefusal, mayRefuse } from './stricter.js';

/** Notes one thing that happened to `source`. What happened to one source is compared in order; sources among each other are not. */
export type Log = (source: string, event: string, detail?: unknown) => void;

export type Handler = (req: http.IncomingMessage, res: http.ServerResponse, log: Log) => unknown;

export interface Stage {
  readonly server: http.Server;
  readonly log: Log;
  /** Opens one more connection; the runner closes it. */
  open(): Promise<RawClient>;
  /** Sends pieces, each when the server has read the one before; ends early where the connection is gone. */
  sendEach(client: RawClient, pieces: readonly string[]): Promise<void>;
}

/** One exchange, to be played through each door. */
export interface Scenario {
  readonly name: string;
  readonly options?: http.ServerOptions;
  /** Runs before the server listens: listeners, properties. */
  readonly setup?: (server: http.Server, log: Log) => void;
  /** The 'request' listener; without one every request is answered with what was understood of it. */
  readonly handler?: Handler;
  /** Pieces to send, each in a write of its own that the server reads before the next. */
  readonly send?: string | readonly string[];
  /** Methods of the requests, where one is HEAD or CONNECT. */
  readonly methods?: readonly string[];
  /** How many answers to read after sending (1). */
  readonly answers?: number;
  /**
   * What to do then. `probe` (default) asks once more on the same connection unless the last answer closed it, which shows
   * whether it is still alive; `follow` sends that probe along with the request and waits for the end; `finish` says FIN (not
   * for a handler that answers later: node drops what is unanswered then, and who is first would be chance); `drop` hangs up; `wait` waits for the server to close.
   */
  readonly then?: 'probe' | 'follow' | 'finish' | 'drop' | 'wait';
  /** In place of send/answers/then: the whole conversation. */
  readonly talk?: (client: RawClient, stage: Stage) => Promise<unknown>;
  /** For a client that hangs up in the middle: how many bytes it got is chance. */
  readonly ignoreWire?: boolean;
  /** Whether the engine may refuse this where node takes it, if `stricter.ts` has a reason for it. */
  readonly judging?: boolean;
  /**
   * Whether what it is about has come to pass, for scenarios with a deadline: on a busy machine that may go by before what was
   * sent has been read. Such a play is no evidence and is played again, some times.
   */
  readonly meant?: (transcript: Transcript) => boolean;
  /** What must hold beyond equality of the doors; sees the transcript of each. */
  readonly check?: (transcript: Transcript) => void;
}

export interface Transcript {
  /** Bytes of the first connection as latin1, the Date value masked. */
  readonly wire: string;
  readonly events: Record<string, unknown[]>;
}

const PROBE = 'GET /probe HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n';
// IMF-fixdate, RFC 9110 §5.6.7: a wrong Date stays visible.
const DATE = /^Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/gm;

/** Declares one test: the scenario gives the same transcript through node:http and through the engine. */
function sameThroughBothDoors(scenario: Scenario): void {
  test(scenario.name, { skip: openDifference(scenario.name) }, async () => {
    const [oracle, engine] = doors;
    const expected = await playAsMeant(oracle, scenario);
    const seen = expected.wire !== '' || Object.keys(expected.events).length > 0;
    assert.ok(seen || isSilent(scenario.name), 'nothing was seen at node:http');
    scenario.check?.(expected);
    const actual = await playAsMeant(engine, scenario);
    if (scenario.judging === true && isRefusal(actual.wire) && mayRefuse([scenario.send].flat().join('')) !== undefined)
      return;
    assert.deepEqual(actual, expected);
    scenario.check?.(actual);
  });
}

/** Declares the same for a table of scenarios. */
export function eachSameThroughBothDoors(scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) sameThroughBothDoors(scenario);
}

const MOST_PLAYS = 5;

async function playAsMeant(door: Door, scenario: Scenario): Promise<Transcript> {
  for (let plays = 1; ; plays++) {
    const transcript = await play(door, scenario);
    if (scenario.meant?.(transcript) !== false) return transcript;
    // Its last play is no more evidence than its first: the doors were not compared by what the scenario is about.
    assert.ok(plays < MOST_PLAYS, `${MOST_PLAYS} plays through ${door.name}, and none of them showed what it is about`);
  }
}

/** Plays the scenario through one door. @returns what was seen @throws when the conversation hangs */
export async function play(door: Door, scenario: Scenario): Promise<Transcript> {
  const events: Record<string, unknown[]> = {};
  const log: Log = (source, event, detail) => {
    (events[source] ??= []).push(detail === undefined ? event : [event, detail]);
  };
  const handler = scenario.handler ?? describe;
  const server = door.createServer(scenario.options ?? {}, (req, res) => {
    if (req.url === '/probe' && req.headers.host === 'probe') res.end('probe answered');
    else void run(handler, req, res, log);
  });
  const closed: Promise<unknown>[] = [];
  server.on('connection', (socket: net.Socket) => {
    // Not every connection carries a request that could be counted: some are upgraded, some are refused at their first octets.
    assert.equal(holderOf(socket), door.serves, 'this connection is read by');
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
  });
  const ends = new ServerEnds(server);
  scenario.setup?.(server, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients: RawClient[] = [];
  const open = async (): Promise<RawClient> => {
    const client = await RawClient.open(server);
    clients.push(client);
    return client;
  };
  try {
    const client = await open();
    const sendEach = (to: RawClient, pieces: readonly string[]): Promise<void> => sendPieces(to, ends, pieces);
    const stage: Stage = { server, log, open, sendEach };
    if (scenario.talk === undefined) await converse(client, stage, scenario);
    else await scenario.talk(client, stage);
    for (const each of clients) each.drop();
    await settle(server, closed);
    return { wire: scenario.ignoreWire ? '' : maskDate(client.received), events };
  } finally {
    for (const each of clients) each.drop();
    server.closeAllConnections();
    server.close();
  }
}

/** @returns the bytes as latin1 with every well-formed Date replaced, so that two runs can be compared */
export function maskDate(bytes: Buffer): string {
  return bytes.toString('latin1').replace(DATE, 'Date: <now>');
}

/** Logs what happens to a request and its answer from here on; `body` false leaves the body unread. */
export function watch(req: http.IncomingMessage, res: http.ServerResponse, log: Log, body = true): void {
  const name = `${req.method} ${req.url}`;
  const chunks: Buffer[] = [];
  // How a body is cut into chunks is the network's affair: only its bytes count.
  if (body) req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => log(`req ${name}`, 'end', Buffer.concat(chunks).toString('latin1')));
  for (const event of ['close', 'aborted']) req.on(event, () => log(`req ${name}`, event));
  req.on('error', (error: NodeJS.ErrnoException) => log(`req ${name}`, 'error', `${error.code}: ${error.message}`));
  for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => log(`res ${name}`, event));
  res.on('error', (error: NodeJS.ErrnoException) => log(`res ${name}`, 'error', `${error.code}: ${error.message}`));
}

/** Answers with all that was understood of the request. */
export const describe: Handler = (req, res, log) => {
  const { method, url, httpVersion } = req;
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks).toString('latin1');
    const { rawHeaders, headers, rawTrailers, trailers, complete } = req;
    log('handler', 'request', {
      method,
      url,
      httpVersion,
      rawHeaders,
      headers: { ...headers },
      rawTrailers,
      trailers: { ...trailers },
      body,
      complete,
    });
    res.end(body);
  });
  req.on('error', (error: NodeJS.ErrnoException) => log('handler', 'request error', error.code));
};

// What a handler throws is part of the transcript: uncaught, it would end the test before the doors are compared.
async function run(handler: Handler, req: http.IncomingMessage, res: http.ServerResponse, log: Log): Promise<void> {
  try {
    await handler(req, res, log);
  } catch (error) {
    log('handler', 'threw', `${(error as NodeJS.ErrnoException).code}: ${(error as Error).message}`);
    res.destroy();
  }
}

async function sendPieces(client: RawClient, ends: ServerEnds, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (!(await ends.haveRead(client))) return;
    await client.send(piece);
  }
}

async function converse(client: RawClient, stage: Stage, scenario: Scenario): Promise<void> {
  const { send = [], methods = [], answers = 1, then = 'probe' } = scenario;
  client.expecting(...methods);
  const pieces = typeof send === 'string' ? [send] : [...send];
  if (then === 'follow') pieces.push((pieces.pop() ?? '') + PROBE);
  await stage.sendEach(client, pieces);
  let last: RawAnswer | undefined;
  const wanted = then === 'follow' ? 0 : answers;
  for (let i = 0; i < wanted; i++) last = await client.answer();
  if (then === 'drop') return client.drop();
  if (then === 'finish') client.finish();
  if (then === 'probe' && !closes(last)) await client.send(PROBE);
  await client.untilClose();
}

// Probing a connection that is being closed would race with its FIN and turn it into a reset.
function closes(answer: RawAnswer | undefined): boolean {
  if (answer === undefined) return false;
  if (answer.framing === 'close') return true;
  return answer.fields.some(([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close');
}

async function settle(server: http.Server, closed: readonly Promise<unknown>[]): Promise<void> {
  const over = once(server, 'close');
  server.close();
  await over;
  await Promise.all(closed);
  // 'close' of a request and of its response are emitted in ticks after that of the socket.
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
