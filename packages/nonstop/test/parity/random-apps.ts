import { once } from 'node:events';
import fs = require('node:fs');
import vm = require('node:vm');
import type http = require('node:http');
import type express = require('express');
import { oracle } from '../support/oracle.js';
import { maskDate } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { createFolder, removeFolder } from '../support/folder.js';
import { joinChunks } from '../support/join-chunks.js';
import { ours, type Framework } from '../support/framework.js';
import { fieldValues, type RawAnswer } from '../support/raw-answer.js';
import { RawClient } from '../support/raw-http.js';
import { promise, type By } from '../support/served.js';
import { seeded } from '../support/seeded.js';
import { then } from './over-http2.js';
import { isForHttp2, outcomesOverHttp2 } from './random-apps-http2.js';
import { ProgramPlanner, type ProgramPlan } from './random-program.js';
import { shrink } from './smaller.js';
import { Uncaught } from './uncaught.js';
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
/** For a program that runs alone a first time: some hang, on every side. */
const FIRST_PATIENCE_MS = 1_000;
const SHORT_PATIENCE_MS = 500;
const SHRINK_TRIES = 600;
const SHRINK_TRIES_OF_A_HANG = 120;

/** How a program is played. */
interface Play {
  /** Of {@link FILES}. */
  readonly folder: string;
  readonly uncaught: Uncaught;
  /** Whether nothing else runs, so that each uncaught error belongs to a side. */
  readonly alone: boolean;
  readonly patience: number;
}

/** A program that differs, or under which there was an uncaught error, of this program or of another. */
interface Suspect {
  readonly index: number;
  readonly outcomes?: Difference['outcomes'];
}

/**
 * Runs random programs on Express, on Nonstop and on Nonstop with node:http, and compares the bytes of every answer. Suspects are run
 * again, alone: so that the uncaught errors of each side are compared as well.
 *
 * @returns the differences, each shrunk
 */
export async function differences({ seed, count, progress }: Run): Promise<Difference[]> {
  const { error } = console;
  // The frameworks log unhandled errors; here these are intended.
  console.error = () => undefined;
  const quiet = (): void => undefined;
  const folder = createFolder(FILES);
  process.on('deprecation', quiet);
  const uncaught = new Uncaught();
  const play = { folder, uncaught, alone: false, patience: PATIENCE_MS };
  try {
    const suspects = await suspectsOf({ seed, count, progress }, play);
    const found: Difference[] = [];
    for (const { index, outcomes } of suspects) {
      if (found.length === ENOUGH) break;
      const plan = planOf(seed, index);
      const difference = await differenceOf(plan, { ...play, alone: true });
      if (difference !== undefined) found.push({ seed, index, ...difference });
      // Seen beside other programs only.
      else if (outcomes !== undefined) found.push({ seed, index, plan, outcomes });
    }
    return found;
  } finally {
    uncaught.stop();
    removeFolder(folder);
    console.error = error;
    process.off('deprecation', quiet);
  }
}

async function suspectsOf({ seed, count, progress }: Run, play: Play): Promise<Suspect[]> {
  const programs = Math.ceil(count / REQUESTS_OF_A_PROGRAM);
  const suspects: Suspect[] = [];
  let next = 0;
  let different = 0;
  const lane = async (): Promise<void> => {
    while (next < programs && different < ENOUGH) {
      const index = next++;
      const before = play.uncaught.count;
      const { outcomes } = await played(planOf(seed, index), play);
      if (play.uncaught.count > before) suspects.push({ index });
      else if (isDifferent(outcomes)) {
        different++;
        suspects.push({ index, outcomes });
      }
      if (index % 100 === 99) progress?.((index + 1) * REQUESTS_OF_A_PROGRAM);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return suspects;
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

async function differenceOf(plan: ProgramPlan, play: Play): Promise<Omit<Difference, 'seed' | 'index'> | undefined> {
  const first = await played(plan, { ...play, patience: FIRST_PATIENCE_MS });
  if (!isDifferent(first.outcomes)) return undefined;
  const { outcomes, by } = await played(plan, play);
  if (!isDifferent(outcomes)) return undefined;
  const hangs = outcomes.some(([, outcome]) => outcome.endsWith(HANGS));
  const quick = { ...play, patience: SHORT_PATIENCE_MS };
  const differs = async (candidate: ProgramPlan): Promise<boolean> => isDifferent(await by(candidate, quick));
  const small = await shrink(plan, differs, hangs ? SHRINK_TRIES_OF_A_HANG : SHRINK_TRIES);
  return { plan: small, outcomes: await by(small, play) };
}

const isDifferent = (outcomes: Difference['outcomes']): boolean =>
  outcomes.some(([, outcome]) => outcome !== outcomes[0][1]);

/** Stands for the rest of a connection. */
const NO_END = '(no end)';
/** Stands for the rest of a program: each further request would take the whole patience. */
const HANGS = '(no answer)';

type By1Or2 = (plan: ProgramPlan, play: Play) => Promise<Difference['outcomes']>;

/** Over HTTP/1, and over HTTP/2 if that makes no difference. */
async function played(plan: ProgramPlan, play: Play): Promise<{ outcomes: Difference['outcomes']; by: By1Or2 }> {
  const outcomes = await outcomesOf(plan, play);
  if (isDifferent(outcomes) || outcomes[0][1].endsWith(HANGS) || !isForHttp2(plan)) return { outcomes, by: outcomesOf };
  return { outcomes: await outcomesOf2(plan, play), by: outcomesOf2 };
}

const maker = (plan: ProgramPlan): Make => vm.compileFunction(programSource(plan), PARAMETERS) as Make;

/** The same over HTTP/2. */
const outcomesOf2: By1Or2 = async (plan, { folder, uncaught, alone, patience }) => {
  const make = maker(plan);
  try {
    make(oracle, folder, fs, require);
  } catch {
    return [['Express', 'no application']];
  }
  const app = (framework: Framework): express.Express => make(framework, folder, fs, require);
  return await outcomesOverHttp2(plan, app, { uncaught, alone, patience });
};

const outcomesOf: By1Or2 = async (plan, { folder, uncaught, alone, patience }) => {
  const make = maker(plan);
  const requests = plan.requests.map((request, i) => requestBytes(request, i === plan.requests.length - 1));
  const sent = plan.apart ? requests : [Buffer.concat(requests)];
  const one = async ([name, framework, by, engine]: (typeof SIDES)[number]): Promise<readonly [string, string]> => {
    const app = (): express.Express => make(framework, folder, fs, require).set('http engine', engine);
    return [name, await outcomeOf(app, by, { sent, apart: plan.apart === true, patience, uncaught })];
  };
  if (!alone) return Promise.all(SIDES.map(one));
  const outcomes: (readonly [string, string])[] = [];
  for (const side of SIDES) {
    await uncaught.take();
    const [name, outcome] = await one(side);
    outcomes.push([name, [outcome, ...(await uncaught.take())].join('\n')]);
  }
  return outcomes;
};

interface Sending {
  readonly sent: readonly Buffer[];
  /** Whether each piece waits for the answer to the one before; otherwise there is one piece, whose last request closes the connection. */
  readonly apart: boolean;
  readonly patience: number;
  readonly uncaught: Uncaught;
}

/** @returns the received octets as latin1, without the date and with joined chunks; or the error if the application cannot be created */
async function outcomeOf(make: () => express.Express, by: By, sending: Sending): Promise<string> {
  let app: express.Express;
  try {
    app = make();
  } catch (error) {
    return `no application: ${String(error)}`;
  }
  const server = promise(app.listen(0, '127.0.0.1'), by);
  await once(server, 'listening');
  try {
    return joinChunks(then(await receivedOf(server, sending)));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Sends each piece on the connection of the one before; on a new one if that is over, or if the piece before was not answered. */
async function receivedOf(server: http.Server, { sent, apart, patience, uncaught }: Sending): Promise<string> {
  let client: RawClient | undefined;
  let received = '';
  for (const [i, bytes] of sent.entries()) {
    const errors = uncaught.count;
    client ??= await RawClient.open(server, { patience });
    await client.expecting(bytes.toString('latin1', 0, bytes.indexOf(' '))).send(bytes);
    const wait = <T>(promise: Promise<T>): Promise<T | undefined> => uncaught.orGivenUp(promise, errors);
    const answer = apart ? await wait(client.answer()) : undefined;
    const closes = answer === undefined ? !apart : isClosing(answer);
    if (answer !== undefined && !closes && i < sent.length - 1 && uncaught.count === errors) continue;
    if (!closes) client.finish();
    const isOver = (answer !== undefined || !apart) && (await wait(client.untilClose())) !== undefined;
    received += `${maskDate(client.received)}${isOver ? '' : NO_END}\n`;
    const hangs = !isOver && !client.socket.readableEnded && !client.socket.destroyed && uncaught.count === errors;
    client.drop();
    if (hangs) return received + HANGS;
    client = undefined;
  }
  return received;
}

const isClosing = (answer: RawAnswer): boolean => fieldValues(answer, 'connection').join().toLowerCase() === 'close';
