import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import express = require('express');
import { described, request, type Note } from '../support/beside-express.js';
import { maskDate } from '../support/both-doors.js';
import { ours, type Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';

export { request } from '../support/beside-express.js';
export { type Framework } from '../support/framework.js';

/** Whatever an application may call, types or not: parity holds for wrong arguments too. */
export interface Loose {
  [method: string]: (...args: unknown[]) => Loose;
}

export type Next = (error?: unknown) => void;

/** What a handler of a row is given. */
export interface Turn {
  readonly req: express.Request;
  readonly res: express.Response & Loose;
  readonly next: Next;
  /** Keeps what the wire does not show, to be compared beside it. */
  readonly note: Note;
}

export type Build = (app: express.Express, make: Framework, note: Note) => void;

/** One request and its answer: a test. */
export interface Row {
  readonly name: string;
  /** The bytes to send, the last request closing the connection; `GET /` when left out. */
  readonly send?: Buffer | readonly Buffer[];
  /** What must be found in Express's answer or notes: that the row reaches what it is named for. */
  readonly shows?: RegExp;
}

/** An application and the rows that are sent to it. */
export interface Program {
  readonly name: string;
  readonly app: Build;
  readonly rows: readonly Row[];
  /** Errors end at the frameworks' own page instead of at a handler that tells what they are. */
  readonly pages?: boolean;
}

/** An answer of a handler to one row: `[name, handler, what is sent, what must show]`. */
export type HandlerRow = readonly [name: string, handle: (turn: Turn) => unknown, send?: Row['send'], shows?: RegExp];

interface Side {
  readonly name: string;
  readonly make: Framework;
  readonly engine?: string;
}

const SIDES: readonly [oracle: Side, ...subjects: Side[]] = [
  { name: 'Express', make: express },
  { name: 'Nonstop', make: ours },
  { name: 'Nonstop on node:http', make: ours, engine: 'node' },
];

interface Answer {
  readonly wire: string;
  readonly notes: readonly unknown[];
}

/** Declares one test a row: Express, Nonstop, and Nonstop on node:http give the same bytes and the same notes. */
export function parity(program: Program): void {
  describe(program.name, () => {
    let stages: Stage[] = [];
    const answers = new Set<string>();
    before(async () => {
      stages = await Promise.all(SIDES.map((side) => Stage.open(side, program)));
    });
    after(async () => {
      await Promise.all(stages.map((stage) => stage.close()));
      // Rows that are all answered alike would show that their application is not reached.
      if (program.rows.length > 3) assert.ok(answers.size > 1, `all rows of "${program.name}" are answered alike`);
    });
    for (const row of program.rows) {
      test(row.name, async () => {
        const [oracle, ...subjects] = stages;
        const expected = await oracle.play(row);
        answers.add(JSON.stringify(expected));
        if (row.shows !== undefined) assert.match(expected.wire + inspect(expected.notes), row.shows);
        for (const subject of subjects)
          assert.deepEqual(await subject.play(row), expected, `${subject.side.name} differs from Express`);
      });
    }
  });
}

/** Declares the rows of several programs. */
export function parities(programs: readonly Program[]): void {
  for (const program of programs) parity(program);
}

/** A program whose rows are handlers, each called for its own request. */
export function handlers(name: string, table: readonly HandlerRow[], setup: Build = () => undefined): Program {
  const called = new Map(table.map(([row, handle]) => [row, handle]));
  assert.equal(called.size, table.length, `two rows of "${name}" have the same name`);
  return {
    name,
    app: (app, make, note) => {
      setup(app, make, note);
      app.use((req, res, next) => called.get(current)?.({ req, res: res as Turn['res'], next, note }));
    },
    rows: table.map(([row, , send, shows]) => ({ name: row, send, shows })),
  };
}

/** A program that answers each row with what a member of its request gives, or with the error it throws. */
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

/** Answers with everything that can be told of a value; with the error where making it throws. */
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

/** @returns rows of several requests each, sent at once: connections are most of what a row costs */
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

/** The row under way: rows are played one at a time. */
let current = '';

class Stage {
  private constructor(readonly side: Side) {}

  private notes: unknown[] = [];
  private server!: http.Server;

  static async open(side: Side, program: Program): Promise<Stage> {
    const stage = new Stage(side);
    const app = side.make();
    app.set('env', 'production');
    if (side.engine !== undefined) app.set('engine', side.engine);
    const note: Note = (what) => stage.notes.push(what);
    program.app(app, side.make, note);
    if (program.pages !== true) app.use(tellError);
    stage.server = app.listen(0, '127.0.0.1');
    await once(stage.server, 'listening');
    return stage;
  }

  /** Sends a row. @returns the bytes of the connection as latin1, without what the clock made, and the notes */
  async play(row: Row): Promise<Answer> {
    current = row.name;
    this.notes = [];
    const logged = captureLog((line) => this.notes.push(['logged', line]));
    const client = await RawClient.open(this.server);
    try {
      const { send = request('GET /') } = row;
      await client.send(Buffer.concat([send].flat()));
      const bytes = await client.untilClose();
      // What fails behind the end of an answer is logged some turns later.
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { wire: withoutNow(maskDate(bytes)), notes: this.notes };
    } finally {
      client.drop();
      logged.stop();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.closeAllConnections();
    this.server.close();
    await closed;
  }
}

/** A cookie that lasts from now on is dated by the clock. */
function withoutNow(wire: string): string {
  return wire.replace(/Expires=\w{3}, \d\d \w{3} 20[2-9]\d \d\d:\d\d:\d\d GMT/g, 'Expires=<then>');
}

/** What frameworks write to the console belongs to the answer: the first line, as the rest are places in files. */
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
