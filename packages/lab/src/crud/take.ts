import { setTimeout as sleep } from 'node:timers/promises';
import { mustBeOnEngine, type Failure } from '../measure.js';
import type { Peer } from '../peer.js';
import { balanced } from '../stats.js';
import { Client, type ClientRequest, type TimedAnswer } from './client.js';
import type { Database } from './database.js';
import { control, type CpuSample, type CrudSample } from './sample.js';
import { shapeNames, shapes, verbs, type Verb } from './shapes.js';
import { idIn, verify } from './verify.js';

export interface Taking {
  readonly node: string;
  readonly peers: Map<string, Peer>;
  readonly database: Database;
  readonly settings: CrudSettings;
  readonly signal: AbortSignal;
  readonly progress: (step: string) => void;
  readonly onSample: (sample: CrudSample) => void;
  readonly onCpu: (sample: CpuSample) => void;
  readonly onFailure: (failure: Failure) => void;
  /** After each repetition. */
  readonly onRepetition: () => void;
}

export interface CrudSettings {
  readonly repetitions: number;
  /** Warm-up repetitions, which are not counted. */
  readonly warmup: number;
  /** A short run that checks that everything works; its figures mean little. */
  readonly quick?: boolean;
}

/**
 * Takes the samples: in every repetition each shape, for a shape each contestant in balanced order, for a
 * contestant the four verbs. So changes of the machine that last longer than a few requests affect all contestants
 * equally.
 *
 * @throws {Error} if `signal` aborts, an answer is wrong before or afterwards, or the database has failed
 */
export async function take(taking: Taking): Promise<void> {
  const { peers, settings, signal, progress } = taking;
  const clients = new Map([...peers].map(([name, peer]) => [name, new Client(peer.port)]));
  const started = performance.now();
  try {
    progress('comparing the answers');
    await verify(clients);
    for (const [contestant, peer] of peers) {
      const client = clients.get(contestant) as Client;
      await mustBeOnEngine('crud', { contestant, peer }, () => controls(client));
    }
    for (let repetition = -settings.warmup; repetition < settings.repetitions; repetition++) {
      progress(placeOf(repetition, settings, performance.now() - started));
      for (const shape of [control, ...shapeNames]) {
        for (const contestant of balanced([...clients.keys()], Math.max(repetition, 0))) {
          signal.throwIfAborted();
          await turn({ contestant, shape, repetition, clients }, taking);
        }
      }
      if (repetition >= 0) taking.onRepetition();
    }
    await verify(clients);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DatabaseGone)) await mustAnswer(taking.database, error);
    throw error;
  } finally {
    for (const client of clients.values()) client.close();
  }
}

function placeOf(repetition: number, { repetitions, warmup }: CrudSettings, passed: number): string {
  if (repetition < 0) return 'warm-up';
  const done = repetition + warmup;
  const left = done === 0 ? 0 : ((passed / done) * (repetitions - repetition)) / 60_000;
  return `repetition ${repetition + 1} of ${repetitions}${left < 1 ? '' : `, about ${Math.round(left)} min left`}`;
}

interface Turn {
  readonly contestant: string;
  readonly shape: string;
  /** Below 0 is the warm-up. */
  readonly repetition: number;
  readonly clients: Map<string, Client>;
}

/** One contestant's requests of one shape. A contestant that fails is reported and removed; the others continue. */
async function turn({ contestant, shape, repetition, clients }: Turn, taking: Taking): Promise<void> {
  const { node, peers, database, signal } = taking;
  const peer = peers.get(contestant) as Peer;
  const client = clients.get(contestant) as Client;
  const identity = { node, contestant, shape, repetition };
  try {
    const before = await peer.usage();
    const answers = await (shape === control ? controls(client) : lifeOfRecord(client, shape));
    const after = await peer.usage();
    // Not after a record: late work of the database's driver would be counted as the cost of reading.
    const again = shape === control ? await peer.usage() : undefined;
    if (repetition < 0) return;
    for (const { verb, clientMs, serverMs } of answers) taking.onSample({ ...identity, verb, clientMs, serverMs });
    const used = { requests: answers.length, cpu: after.cpu - before.cpu };
    taking.onCpu({ ...identity, ...used, ...(again && { question: again.cpu - after.cpu }) });
  } catch (error) {
    signal.throwIfAborted();
    await mustAnswer(database, error);
    clients.delete(contestant);
    peers.delete(contestant);
    client.close();
    // The connections of a crashing process break first; its exit and its output are known a moment later.
    await sleep(200);
    const problem = peer.alive ? (error instanceof Error ? error.message : String(error)) : peer.obituary();
    await peer.stop();
    taking.onFailure({ scenario: `crud, ${shape}`, contestant, node, problem });
  }
}

type Answered = TimedAnswer & { readonly verb: Verb };

async function mustAnswer(database: Database, cause: unknown): Promise<void> {
  if (!(await database.answers())) throw new DatabaseGone(`The database (${database.label}) is gone.`, { cause });
}

class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone';
}

/** As many as a shape has verbs. */
async function controls(client: Client): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const _ of verbs) answers.push(await send(client, 'GET', { path: '/control', status: 200 }));
  return answers;
}

const bodies: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(shapes).map(([name, { make }]) => [name, JSON.stringify({ value: make() })]),
);

async function lifeOfRecord(client: Client, shape: string): Promise<Answered[]> {
  const body = bodies[shape];
  const made = await send(client, 'POST', { path: `/${shape}`, body, status: 201 });
  const path = `/${shape}/${idIn(made.body)}`;
  return [
    made,
    await send(client, 'GET', { path, status: 200 }),
    await send(client, 'PUT', { path, body, status: 200 }),
    await send(client, 'DELETE', { path, status: 204 }),
  ];
}

type Wanted = Omit<ClientRequest, 'method'> & { readonly status: number };

async function send(client: Client, verb: Verb, { status, ...request }: Wanted): Promise<Answered> {
  const answer = await client.send({ ...request, method: verb });
  if (answer.status === status) return { ...answer, verb };
  throw new Error(`${verb} ${request.path}: status ${answer.status} for ${status}, ${answer.body.slice(0, 200)}`);
}
