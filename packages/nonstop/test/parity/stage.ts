import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import https = require('node:https');
import { after, before, describe, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import type express = require('express');
import { described, request, type Note } from '../support/beside-express.js';
import { certificate } from '../support/certificate.js';
import { oracle } from '../support/oracle.js';
import { version } from '../support/subject.js';
import { maskDate } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { isLeftOut } from './left-out.js';
import { isOwnOfHttp1 } from './own-of-http1.js';
import { askOf, comparedOf1, difference, Http2Side, MISMEASURED, RESET, type Told } from './over-http2.js';
import type { Http2Ask } from '../support/http2-client.js';
import { ours, type Framework } from '../support/framework.js';
import { RawClient, type RawAnswer } from '../support/raw-http.js';
import { promise, type By } from '../support/served.js';

export { request } from '../support/beside-express.js';
export { type Framework } from '../support/framework.js';

/** Methods without type checks, as any application may call them: wrong arguments must behave alike too. */
export interface Loose {
  [method: string]: (...args: unknown[]) => Loose;
}

export type Next = (error?: unknown) => void;

/** The arguments of a row's handler. */
export interface Turn {
  readonly req: express.Request;
  readonly res: express.Response & Loose;
  readonly next: Next;
  /** Keeps values that the wire does not show; they are compared too. */
  readonly note: Note;
}

export type Build = (app: express.Express, make: Framework, note: Note) => void;

/** One request and its answer: one test. */
export interface Row {
  readonly name: string;
  /** The bytes to send, in which the last request closes the connection; `GET /` if undefined. */
  readonly send?: Buffer | readonly Buffer[];
  /** Must match Express's answer or notes, to prove that the row tests what its name says. */
  readonly shows?: RegExp;
}

/** An application and the rows that are sent to it. */
export interface Program {
  readonly name: string;
  readonly app: Build;
  readonly rows: readonly Row[];
  /** Errors go to the frameworks' own page instead of to a handler that outputs them. */
  readonly pages?: boolean;
  /** The major version of Express for which the rows were written, if not the newest. */
  readonly of?: 4;
  /** How the application gets its server; `app.listen` if undefined. */
  readonly served?: 'http.createServer' | 'https.createServer';
}

/** A handler for one row: `[name, handler, bytes to send, pattern that must match]`. */
export type HandlerRow = readonly [name: string, handle: (turn: Turn) => unknown, send?: Row['send'], shows?: RegExp];

/** A framework and one of its doors. */
export interface Side {
  readonly name: string;
  readonly make: Framework;
  readonly engine?: string;
  /** The server that must serve each request, which is counted. */
  readonly by: By;
}

const [, engine] = doors;
export const SIDES: readonly [oracle: Side, ...subjects: Side[]] = [
  { name: 'Express', make: oracle, by: 'node:http' },
  { name: 'Nonstop', make: ours, by: engine.serves },
  { name: 'Nonstop on node:http', make: ours, engine: 'node', by: 'node:http' },
];

interface Answer {
  readonly wire: string;
  readonly notes: readonly unknown[];
  /** How many of several rows were answered; 0 if unknown. */
  readonly answers: number;
}

/** Declares one test for each row: Express, Nonstop, and Nonstop on node:http give the same bytes and the same notes. */
export function parity(whole: Program): void {
  if (isLeftOut(whole.name)) return;
  const program = { ...whole, rows: whole.rows.filter(({ name }) => !isLeftOut(whole.name, name)) };
  if (program.rows.length === 0) return;
  describe(program.name, () => {
    let stages: Stage[] = [];
    const answers = new Set<string>();
    before(async () => {
      stages = await allOpen(SIDES.map((side) => Stage.open(side, program)));
    });
    after(async () => {
      await Promise.all(stages.map((stage) => stage.close()));
      // If all rows have the same answer, they probably do not reach their application.
      if (program.rows.length > 3) assert.ok(answers.size > 1, `all rows of "${program.name}" are answered alike`);
    });
    for (const company of companies(program.rows)) {
      let together: Promise<Outcome> | undefined;
      for (const row of company) {
        test(row.name, async () => {
          if (company.length > 1) {
            together ??= outcomeOf(stages, company);
            const { differs, expected, complete } = await together;
            // In front of the first one there is nothing: it would count as another answer.
            for (const answer of expected.wire.split('HTTP/1.1 ').slice(1)) answers.add(answer.replace(ENDING, ''));
            if (complete && differs === undefined) return;
          }
          const { differs, expected } = await outcomeOf(stages, [row]);
          answers.add(JSON.stringify(expected));
          // `shows` is written for Express 5.
          if (row.shows !== undefined && (version === 5 || program.of === 4))
            assert.match(expected.wire + inspect(expected.notes), row.shows);
          differs?.();
          // If each row is right alone but the group is wrong, the last row reports it.
          if (row === company.at(-1)) (await together)?.differs?.();
        });
      }
    }
    const carried = program.rows.filter(
      ({ send = DEFAULT, name }) => isCarried(send) && !isOwnOfHttp1(program.name, name),
    );
    if (program.served === undefined && carried.length > 0) {
      test(`over HTTP/2 the answers are the same`, async () => sameOverHttp2(program, carried));
    }
  });
}

const isCarried = (send: NonNullable<Row['send']>): boolean => Buffer.isBuffer(send) && askOf(send) !== undefined;

/** Rows of one request each, sent to Express over HTTP/1 and to Nonstop over HTTP/2; both are new, because rows may change their application. */
async function sameOverHttp2(program: Program, rows: readonly Row[]): Promise<void> {
  const [oracle, stage] = await allOpen([Stage.open(SIDES[0], program), Stage.openHttp2(program)]);
  const different: string[] = [];
  try {
    for (const row of rows) {
      const bytes = (row.send ?? DEFAULT) as Buffer;
      const { wire, notes } = await oracle.play([row]);
      const answer = comparedOf1(wire, methodOf(row));
      if (answer === MISMEASURED) continue;
      const over1: Told = { answer, notes };
      const over2 = await stage.playHttp2(row, askOf(bytes)!);
      const differs = difference(over1, over2);
      if (differs !== undefined) different.push(`${row.name}\n${differs}`);
    }
    assert.ok(different.length === 0, different.join('\n\n'));
  } finally {
    await Promise.all([oracle.close(), stage.close()]);
  }
}

/** Waits for stages. If one cannot be opened, the others are closed: their servers would keep the process. */
async function allOpen(opening: readonly Promise<Stage>[]): Promise<Stage[]> {
  const results = await Promise.allSettled(opening);
  const open = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = results.find((each) => each.status === 'rejected');
  if (failed === undefined) return open;
  await Promise.all(open.map((stage) => stage.close()));
  throw failed.reason;
}

/** The result of rows that were sent together. */
interface Outcome {
  readonly expected: Answer;
  /** Throws the first difference; undefined if there is none. */
  readonly differs: (() => never) | undefined;
  /** Whether each row got its answer: an answer may end the connection, and the rows after it would get none. */
  readonly complete: boolean;
}

async function outcomeOf([oracle, ...subjects]: readonly Stage[], rows: readonly Row[]): Promise<Outcome> {
  const expected = await oracle.play(rows);
  let differs: Outcome['differs'];
  for (const subject of subjects) {
    const actual = await subject.play(rows);
    if (isDeepStrictEqual(actual, expected)) continue;
    differs ??= () => {
      assert.deepEqual(actual, expected, `${subject.side.name} differs from Express`);
      throw new Error('unreachable: they differ');
    };
  }
  return { expected, differs, complete: expected.answers === rows.length };
}

const FIRST: Row = { name: 'the first request of a server' };

/** Maximum number of rows on a connection; connections are most of a row's cost. With more rows node warns about listeners. */
const COMPANY = 8;
/** The fields that say whether the connection stays open; they do not make answers different. */
const ENDING = /Connection: (?:close|keep-alive\r\nKeep-Alive: timeout=\d+)\r\n/;
const CLOSES = '\r\nConnection: close\r\n';

/** The rows in their order; consecutive rows that expect only one answer form a group. */
function companies(rows: readonly Row[]): readonly Row[][] {
  const all: Row[][] = [];
  let open: Row[] | undefined;
  for (const row of rows) {
    if (!isSociable(row)) {
      all.push([row]);
      open = undefined;
    } else if (open === undefined || open.length === COMPANY) {
      all.push((open = [row]));
    } else {
      open.push(row);
    }
  }
  return all;
}

/** Whether the row is one complete request that can keep its connection open, without further expectations. */
function isSociable({ send = DEFAULT, shows }: Row): boolean {
  return shows === undefined && Buffer.isBuffer(send) && send.includes(CLOSES) && !send.includes('\r\nExpect:');
}

/** The bytes of rows on one connection: the last row closes it. */
function bytesOf(rows: readonly Row[]): Buffer {
  const last = rows.length - 1;
  return Buffer.concat(
    rows.flatMap(({ send = DEFAULT }, i) =>
      i === last
        ? (send as Buffer | Buffer[])
        : Buffer.from((send as Buffer).toString('latin1').replace(CLOSES, KEEPS), 'latin1'),
    ),
  );
}

function methodOf({ send = DEFAULT }: Row): string {
  const bytes = send as Buffer;
  return bytes.toString('latin1', 0, bytes.indexOf(' '));
}

const KEEPS = '\r\nConnection: keep-alive\r\n';
const DEFAULT = request('GET /');

/** Declares the rows of several programs. */
export function parities(programs: readonly Program[]): void {
  for (const program of programs) parity(program);
}

/**
 * A note of one of several rows. Rows on one connection run concurrently when they wait for files, and the order in which
 * they finish is chance: their notes are compared row by row.
 */
class NoteOfRow {
  constructor(
    readonly row: string,
    readonly what: unknown,
  ) {}
}

/** @returns the notes in the order of their rows, after the notes of no row */
function byRow(notes: readonly unknown[], names: readonly string[]): unknown[] {
  const placeOf = (note: unknown): number => (note instanceof NoteOfRow ? names.indexOf(note.row) : -1);
  return notes.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** A program whose rows are handlers; each is called for its own request. */
export function handlers(name: string, table: readonly HandlerRow[], setup: Build = () => undefined): Program {
  return choosing(name, table, (app, make, { pick, note, noteOf }) => {
    setup(app, make, note);
    app.use((req, res, next) => pick(req)({ req, res: res as Turn['res'], next, note: noteOf(req) }));
  });
}

/** Returns the table's entry of the row that sent the request; can be called repeatedly. */
type Pick<T> = (req: object) => T;

/** One application for all rows of a table; for each request it looks up the row's entry. */
export function choosing<T>(
  name: string,
  table: readonly (readonly [row: string, meant: T, send?: Row['send'], shows?: RegExp])[],
  build: (app: express.Express, make: Framework, given: { pick: Pick<T>; note: Note; noteOf: Pick<Note> }) => void,
): Program {
  const meant = new Map(table.map(([row, what]) => [row, what]));
  assert.equal(meant.size, table.length, `two rows of "${name}" have the same name`);
  const owners = new WeakMap<object, string>();
  const ownerOf = (req: object): string => {
    let row = owners.get(req);
    if (row === undefined) {
      row = playing.claim(req as http.IncomingMessage & { originalUrl?: string });
      owners.set(req, row);
    }
    return row;
  };
  return {
    name,
    app: (app, make, note) =>
      build(app, make, {
        pick: (req) => meant.get(ownerOf(req)) as T,
        note,
        noteOf: (req) => {
          const row = ownerOf(req);
          return (what) => note(new NoteOfRow(row, what));
        },
      }),
    rows: table.map(([row, , send, shows]) => ({ name: row, send, shows })),
  };
}

/** A program that answers each row with the value of a member of its request, or with the error it throws. */
export function asking(
  name: string,
  ask: (req: express.Request) => unknown,
  rest: Omit<Program, 'name' | 'app'> & { setup?: Build },
): Program {
  return {
    ...rest,
    name,
    app: (app, make, note) => {
      rest.setup?.(app, make, note);
      app.use((req, res) => tell(res, () => ask(req)));
    },
  };
}

/** Answers with a text of the value, or of the error that computing it throws. */
export function tell(res: http.ServerResponse, value: () => unknown): void {
  let text: string;
  try {
    text = inspect(value(), { depth: 6, breakLength: 100, sorted: true });
  } catch (error) {
    text = `throws ${inspect(described(error))}`;
  }
  res.end(text);
}

/** Requests as a table: `[line, fields]`. */
export type Requests = readonly (readonly [line: string, fields?: Record<string, string | undefined>])[];

/** @returns a row for each request, on a connection of its own */
export function requests(table: Requests): Row[] {
  return table.map(([line, fields = {}]) => ({ name: nameOf(line, fields), send: request(line, fields) }));
}

/** @returns rows of several requests each, sent at once: connections are most of a row's cost */
export function pipelined(table: Requests, together = 12): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < table.length; at += together) {
    const group = table.slice(at, at + together);
    const last = group.length - 1;
    rows.push({
      name: `${group.length} requests from ${nameOf(...group[0])}`,
      send: group.map(([line, fields], i) =>
        request(line, i === last ? fields : { Connection: 'keep-alive', ...fields }),
      ),
    });
  }
  return rows;
}

function nameOf(line: string, fields: Record<string, string | undefined> = {}): string {
  return `${line.slice(0, 100)} ${Object.keys(fields).length > 0 ? JSON.stringify(fields).slice(0, 200) : ''}`.trim();
}

/**
 * The current rows. A request belongs to the row with its method and URL: if rows wait for bodies or files, their requests
 * reach a table in another order than they were sent. Of rows with the same method and URL the first one is taken.
 */
class Playing {
  /** Number of requests that have reached a handler of a table. */
  reached = 0;
  readonly names: readonly string[];
  private readonly left: { readonly name: string; readonly line: string }[];

  constructor(rows: readonly Row[]) {
    this.names = rows.map(({ name }) => name);
    this.left = rows.map(({ name, send = DEFAULT }) => ({ name, line: lineOf(send) }));
  }

  claim({ method, url, originalUrl = url }: http.IncomingMessage & { originalUrl?: string }): string {
    this.reached++;
    const line = `${method} ${originalUrl}`;
    const known = this.left.findIndex((row) => row.line === line);
    // If the method was overridden, or a row has several requests, the next row in order is taken.
    const [row] = this.left.splice(Math.max(known, 0), this.left.length > 1 ? 1 : 0);
    return (row ?? this.left[0]).name;
  }
}

/** Method and target of the first request of a row. */
function lineOf(send: NonNullable<Row['send']>): string {
  const text = (Buffer.isBuffer(send) ? send : Buffer.concat(send)).toString('latin1');
  return text.slice(0, text.indexOf(' ', text.indexOf(' ') + 1));
}

let playing = new Playing([]);

class Stage {
  private constructor(
    readonly side: Side,
    private readonly secure: boolean,
  ) {}

  private notes: unknown[] = [];
  private http2: Http2Side | undefined;
  private server!: http.Server | https.Server;

  static async open(side: Side, program: Program): Promise<Stage> {
    const stage = new Stage(side, program.served === 'https.createServer');
    const app = side.make();
    app.set('env', 'production');
    if (side.engine !== undefined) app.set('http engine', side.engine);
    const note: Note = (what) => stage.notes.push(what);
    program.app(app, side.make, note);
    if (program.pages !== true) app.use(tellError);
    stage.server = listening(app, program.served);
    await once(stage.server, 'listening');
    // node:http serves the first request of a user's own server; no row may be that request.
    if (program.served !== undefined) await stage.play([FIRST]);
    promise(stage.server, side.by);
    return stage;
  }

  /** The program on Nonstop, over HTTP/2. */
  static async openHttp2(program: Program): Promise<Stage> {
    const stage = new Stage({ name: 'Nonstop over HTTP/2', make: ours, by: engine.serves }, false);
    const app = ours();
    app.set('env', 'production');
    program.app(app, ours, (what) => stage.notes.push(what));
    if (program.pages !== true) app.use(tellError);
    stage.http2 = await Http2Side.open((options) => (app.listen as (options: object) => http.Server)(options));
    return stage;
  }

  async playHttp2(row: Row, asked: Http2Ask): Promise<Told> {
    playing = new Playing([row]);
    this.notes = [];
    const logged = captureLog((line) => this.notes.push(['logged', line]));
    try {
      const answer = (await this.http2!.send(asked)) ?? RESET;
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { answer, notes: byRow(this.notes, [row.name]) };
    } finally {
      logged.stop();
    }
  }

  /** Sends rows on one connection. @returns its bytes as latin1 without dates, and the notes */
  async play(rows: readonly Row[]): Promise<Answer> {
    const turn = (playing = new Playing(rows));
    this.notes = [];
    const logged = captureLog((line) => this.notes.push(['logged', line]));
    const client = await RawClient.open(this.server, { secure: this.secure });
    try {
      if (rows.length > 1) client.expecting(...rows.map(methodOf));
      await client.send(bytesOf(rows));
      const bytes = await client.untilClose();
      // Errors after the end of an answer are logged some turns later.
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
      // If only some of the requests reached the table, they may have got each other's handlers.
      const mixed = turn.reached !== 0 && turn.reached !== rows.length;
      const answers = mixed || rows.length === 1 ? 0 : client.unclaimed.length;
      const whole = answers === rows.length;
      const wire = whole ? client.unclaimed.map(withoutCuts).join('') + maskDate(client.unread) : maskDate(bytes);
      return { wire: withoutNow(wire), notes: byRow(this.notes, turn.names), answers };
    } finally {
      client.drop();
      logged.stop();
    }
  }

  async close(): Promise<void> {
    if (this.http2 !== undefined) return await this.http2.close();
    const closed = once(this.server, 'close');
    this.server.closeAllConnections();
    this.server.close();
    await closed;
  }
}

function listening(app: express.Express, served: Program['served']): http.Server | https.Server {
  if (served === undefined) return app.listen(0, '127.0.0.1');
  const server = served === 'http.createServer' ? http.createServer(app) : https.createServer(certificate(), app);
  return server.listen(0, '127.0.0.1');
}

/**
 * The answer to one of several requests. The chunk boundaries of a streamed body depend on the other requests, and have no
 * meaning (RFC 9112 §7.1); for rows that are sent alone they are compared.
 */
function withoutCuts({ raw, framing, informational, body, trailers }: RawAnswer): string {
  const text = maskDate(raw);
  if (framing !== 'chunked' && informational.length === 0) return text;
  const head = text.slice(0, text.indexOf('\r\n\r\n') + 4);
  return JSON.stringify(informational) + head + JSON.stringify([body.toString('latin1'), trailers]);
}

/** The expiry of a cookie with a max age depends on the clock. */
function withoutNow(wire: string): string {
  return wire.replace(/Expires=\w{3}, \d\d \w{3} 20[2-9]\d \d\d:\d\d:\d\d GMT/g, 'Expires=<then>');
}

/** What frameworks write to the console counts as part of the answer: only the first line, because the others are positions in files. */
function captureLog(keep: (line: string) => void): { stop(): void } {
  const { error } = console;
  console.error = (...args: unknown[]) => keep(inspect(args[0]).split('\n')[0]);
  const mute = (): void => undefined;
  process.on('deprecation', mute);
  return {
    stop: () => {
      console.error = error;
      process.off('deprecation', mute);
    },
  };
}

const tellError: express.ErrorRequestHandler = (error: Error & { status?: number }, _req, res, _next) => {
  if (res.headersSent) return void res.destroy();
  res.statusCode = error?.status ?? 500;
  return void res.end(inspect(described(error), { depth: 6, breakLength: 100, sorted: true }));
};
