import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import type net = require('node:net');
import { test } from 'node:test';
import { doors, type Door } from './doors.js';
import { isSilent } from './silent-scenarios.js';
import { joinChunks } from './join-chunks.js';
import { openDifference } from './open-differences.js';
import { RawClient, type RawAnswer } from './raw-http.js';
import { holderOf } from './served.js';
import { ServerEnds } from './server-ends.js';
import { strangeRead } from './shared-memory.js';
import { isRefusal, mayRefuse } from './stricter.js';

/** Notes one event of `source`. Events of one source are compared in order; the relative order of sources is not compared. */
export type Log = (source: string, event: string, detail?: unknown) => void;

export type Handler = (req: http.IncomingMessage, res: http.ServerResponse, log: Log) => unknown;

export interface Stage {
  readonly server: http.Server;
  readonly log: Log;
  /** Opens one more connection; the runner closes it. */
  open(): Promise<RawClient>;
  /** Sends pieces, each once the server has read the one before; stops early if the connection is closed. */
  sendEach(client: RawClient, pieces: readonly string[]): Promise<void>;
}

/** One exchange, which is played through each door. */
export interface Scenario {
  readonly name: string;
  readonly options?: http.ServerOptions;
  /** Runs before the server listens: adds listeners, sets properties. */
  readonly setup?: (server: http.Server, log: Log) => void;
  /** The 'request' listener; if undefined, every request is answered with what the server understood of it. */
  readonly handler?: Handler;
  /** Pieces to send; each is written once the server has read the one before. */
  readonly send?: string | readonly string[];
  /** Methods of the requests, if one is HEAD or CONNECT. */
  readonly methods?: readonly string[];
  /** Number of answers to read after sending (1). */
  readonly answers?: number;
  /**
   * What to do then. `probe` (default) sends another request on the connection, unless the last answer closed it, to see whether
   * the connection still works. `follow` sends that probe along with the request and waits for the end. `finish` sends FIN (not for
   * a handler that answers later: node drops unfinished answers at a FIN). `drop` hangs up. `wait` waits until the server closes.
   */
  readonly then?: 'probe' | 'follow' | 'finish' | 'drop' | 'wait';
  /** The whole conversation, instead of send/answers/then. */
  readonly talk?: (client: RawClient, stage: Stage) => Promise<unknown>;
  /** For a client that hangs up: the number of bytes it got is chance. */
  readonly ignoreWire?: boolean;
  /** The answer's chunks end where reads of the request ended, which is chance: the doors are compared with the chunks joined. */
  readonly chunksFollowReads?: boolean;
  /** Whether the engine may refuse this input although node accepts it; `stricter.ts` must have a reason. */
  readonly judging?: boolean;
  /**
   * For scenarios with a deadline: whether the deadline has expired at the right moment. On a busy machine it may expire before the
   * sent octets have been read. Such a play proves nothing and is repeated, a limited number of times.
   */
  readonly meant?: (transcript: Transcript) => boolean;
  /** Further assertions besides the equality of the doors; called with the transcript of each. */
  readonly check?: (transcript: Transcript) => void;
}

export interface Transcript {
  /** The octets of the first connection as latin1, without the value of Date. */
  readonly wire: string;
  readonly events: Record<string, unknown[]>;
}

const PROBE = 'GET /probe HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n';
// IMF-fixdate, RFC 9110 §5.6.7: an invalid Date stays visible.
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
    const [ours, nodes] = [actual, expected].map((each) =>
      scenario.chunksFollowReads === true ? { ...each, wire: joinChunks(each.wire) } : each,
    );
    assert.deepEqual(ours, nodes);
    scenario.check?.(actual);
  });
}

/** Declares the same for a table of scenarios. */
export function eachSameThroughBothDoors(scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) sameThroughBothDoors(scenario);
}

const MOST_PLAYS = 10;

async function playAsMeant(door: Door, scenario: Scenario): Promise<Transcript> {
  for (let plays = 1; ; plays++) {
    const transcript = await play(door, scenario);
    if (scenario.meant?.(transcript) !== false) return transcript;
    // No play has shown what the scenario is about, so comparing the doors would prove nothing.
    assert.ok(plays < MOST_PLAYS, `${MOST_PLAYS} plays through ${door.name}, and none of them showed what it is about`);
  }
}

/** Plays the scenario through one door. @returns the transcript @throws if the conversation hangs */
export async function play(door: Door, scenario: Scenario): Promise<Transcript> {
  const events: Record<string, unknown[]> = {};
  // While a handler or a listener of a scenario runs, another connection may be read.
  const readAnother = await strangeRead(door);
  const log: Log = (source, event, detail) => {
    readAnother();
    (events[source] ??= []).push(detail === undefined ? event : [event, detail]);
  };
  const handler = scenario.handler ?? describe;
  const server = door.createServer(scenario.options ?? {}, (req, res) => {
    readAnother();
    if (req.url === '/probe' && req.headers.host === 'probe') res.end('probe answered');
    else void run(handler, req, res, log);
  });
  const closed: Promise<unknown>[] = [];
  server.on('connection', (socket: net.Socket) => {
    // Some connections have no counted request: they are upgraded, or refused at their first octets.
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

/** @returns the bytes as latin1 with every valid Date replaced, so that two runs can be compared */
export function maskDate(bytes: Buffer): string {
  return bytes.toString('latin1').replace(DATE, 'Date: <now>');
}

/** Logs all further events of a request and its answer; if `body` is false, the body is not read. */
export function watch(req: http.IncomingMessage, res: http.ServerResponse, log: Log, body = true): void {
  const name = `${req.method} ${req.url}`;
  const chunks: Buffer[] = [];
  // How a body is cut into chunks is chance: only its bytes count.
  if (body) req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => log(`req ${name}`, 'end', Buffer.concat(chunks).toString('latin1')));
  for (const event of ['close', 'aborted']) req.on(event, () => log(`req ${name}`, event));
  req.on('error', (error: NodeJS.ErrnoException) => log(`req ${name}`, 'error', `${error.code}: ${error.message}`));
  for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => log(`res ${name}`, event));
  res.on('error', (error: NodeJS.ErrnoException) => log(`res ${name}`, 'error', `${error.code}: ${error.message}`));
}

/** Answers with everything that the server understood of the request. */
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

// An error of a handler is part of the transcript: uncaught, it would end the test before the doors are compared.
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

// A probe on a connection that is being closed would race with its FIN, and might cause a reset.
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
