import { once } from 'node:events';
import fs = require('node:fs');
import vm = require('node:vm');
import type express = require('express');
import { oracle } from '../support/oracle.js';
import { maskDate } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { createFolder, removeFolder } from '../support/folder.js';
import { joinChunks } from '../support/join-chunks.js';
import { ours, type Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { promise, type By } from '../support/served.js';
import { seeded } from '../support/seeded.js';
import { isForHttp2, outcomesOverHttp2 } from './random-apps-http2.js';
import { ProgramPlanner, type ProgramPlan } from './random-program.js';
import { shrink } from './smaller.js';
import { FILES } from './files-and-views.js';
import { PARAMETERS, programSource, requestBytes, runnable } from './write-program.js';

export interface Run {
  readonly seed: number;
  /** Number of answers to compare. */
  readonly count: number;
  /** Called from time to time with the progress. */
  readonly progress?: (done: number) => void;
}

/** A program on which the frameworks differ, shrunk as far as possible. */
export interface Difference {
  readonly seed: number;
  readonly index: number;
  readonly plan: ProgramPlan;
  /** The results by server; Express first. */
  readonly outcomes: readonly (readonly [side: string, outcome: string])[];
}

type Make = (express: Framework, folder: string, system: typeof fs, load: NodeJS.Require) => express.Express;

const [, engine] = doors;
const SIDES: readonly (readonly [name: string, make: Framework, by: By, engine?: string])[] = [
  ['Express', oracle, 'node:http'],
  ['Nonstop', ours, engine.serves],
  ['Nonstop on node:http', ours, 'node:http', 'node'],
];

const REQUESTS_OF_A_PROGRAM = 10;
/** Programs at the same time: each mostly waits for its sockets. */
const LANES = 4;
/** Further differences would tell nothing new. */
const ENOUGH = 5;
/** When a server counts as hanging; short for the candidates of a shrink, because many of them hang. */
const PATIENCE_MS = 10_000;
const SHORT_PATIENCE_MS = 500;
const SHRINK_TRIES = 600;
const SHRINK_TRIES_OF_A_HANG = 120;

/**
 * Runs random programs on Express, on Nonstop and on Nonstop with node:http, and compares the bytes of every answer.
 *
 * @returns the differences, each shrunk
 */
export async function differences({ seed, count, progress }: Run): Promise<Difference[]> {
  const programs = Math.ceil(count / REQUESTS_OF_A_PROGRAM);
  const found: Difference[] = [];
  const { error } = console;
  // The frameworks log unhandled errors; here these are intended.
  console.error = () => undefined;
  const quiet = (): void => undefined;
  const folder = createFolder(FILES);
  process.on('deprecation', quiet);
  // An error in a callback of a view or a package would end the process, with Express too. Here its request stays unanswered.
  process.setUncaughtExceptionCaptureCallback(quiet);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < programs && found.length < ENOUGH) {
      const index = next++;
      const difference = await differenceOf(planOf(seed, index), folder);
      if (difference !== undefined) found.push({ seed, index, ...difference });
      if (index % 100 === 99) progress?.((index + 1) * REQUESTS_OF_A_PROGRAM);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
    removeFolder(folder);
    console.error = error;
    process.off('deprecation', quiet);
  }
  return found;
}

/** @returns a difference as a runnable program, with the results */
export function asProgram({ seed, index, plan, outcomes }: Difference): string {
  const told = outcomes.map(
    ([side, outcome]) => `// ${side}:\n${outcome.replaceAll('\r\n', '\n').replaceAll(/^/gm, '//   ')}`,
  );
  return [`// seed ${seed}, program ${index}`, runnable(plan), ...told].join('\n');
}

function planOf(seed: number, index: number): ProgramPlan {
  return new ProgramPlanner(seeded(Math.imul(seed, 0x9e3779b1) + index)).program(REQUESTS_OF_A_PROGRAM);
}

/** @param folder of {@link FILES} */
async function differenceOf(
  plan: ProgramPlan,
  folder: string,
): Promise<Omit<Difference, 'seed' | 'index'> | undefined> {
  let played = outcomesOf;
  let outcomes = await played(plan, folder);
  if (!isDifferent(outcomes) && isForHttp2(plan)) outcomes = await (played = outcomesOf2)(plan, folder);
  if (!isDifferent(outcomes)) return undefined;
  const hangs = outcomes.some(([, outcome]) => outcome.startsWith(NO_END));
  const differs = async (candidate: ProgramPlan): Promise<boolean> =>
    isDifferent(await played(candidate, folder, SHORT_PATIENCE_MS));
  const small = await shrink(plan, differs, hangs ? SHRINK_TRIES_OF_A_HANG : SHRINK_TRIES);
  return { plan: small, outcomes: await played(small, folder) };
}

const isDifferent = (outcomes: Difference['outcomes']): boolean =>
  outcomes.some(([, outcome]) => outcome !== outcomes[0][1]);

const NO_END = 'no end: ';

const maker = (plan: ProgramPlan): Make => vm.compileFunction(programSource(plan), PARAMETERS) as Make;

/** The same over HTTP/2. */
async function outcomesOf2(plan: ProgramPlan, folder: string, patience = PATIENCE_MS): Promise<Difference['outcomes']> {
  const make = maker(plan);
  try {
    make(oracle, folder, fs, require);
  } catch {
    return [['Express', 'no application']];
  }
  return await outcomesOverHttp2(plan, (framework) => make(framework, folder, fs, require), patience);
}

async function outcomesOf(plan: ProgramPlan, folder: string, patience = PATIENCE_MS): Promise<Difference['outcomes']> {
  const make = maker(plan);
  const requests = plan.requests.map((request, i) => requestBytes(request, i === plan.requests.length - 1));
  const sent = plan.apart ? requests : [Buffer.concat(requests)];
  return Promise.all(
    SIDES.map(async ([name, framework, by, engine]) => {
      const app = (): express.Express => make(framework, folder, fs, require).set('http engine', engine);
      return [name, await outcomeOf(app, by, { sent, patience })] as const;
    }),
  );
}

/**
 * @param sent pieces that each wait for the answer to the one before
 * @returns the received octets as latin1, without the date and with joined chunks; or the error if the application cannot be created
 */
async function outcomeOf(
  make: () => express.Express,
  by: By,
  { sent, patience }: { sent: readonly Buffer[]; patience: number },
): Promise<string> {
  let app: express.Express;
  try {
    app = make();
  } catch (error) {
    return `no application: ${String(error)}`;
  }
  const server = promise(app.listen(0, '127.0.0.1'), by);
  await once(server, 'listening');
  const client = await RawClient.open(server, { patience });
  try {
    for (const [i, bytes] of sent.entries()) {
      if (i > 0) await client.answer();
      await client.expecting(bytes.toString('latin1', 0, bytes.indexOf(' '))).send(bytes);
    }
    return joinChunks(maskDate(await client.untilClose()));
  } catch {
    return NO_END + joinChunks(maskDate(client.received));
  } finally {
    client.drop();
    server.closeAllConnections();
    server.close();
  }
}
