import type { Contestant, Shape, Verb } from '../logic/contract.js';
import { NoAnswer, type Answer, type Runner } from './runner.js';

/** A wrong answer, or none. */
export class Failed extends Error {
  /** Whether there was an answer. */
  readonly answered: boolean;

  constructor(message: string, answered: boolean) {
    super(message);
    this.answered = answered;
  }
}

const expected: Record<Verb, number> = { POST: 201, GET: 200, PUT: 200, DELETE: 204 };

/**
 * The record of each contestant for each shape. GET, PUT and DELETE need one: if the plan has not posted it, it
 * is posted here, without being timed.
 */
export class Records {
  readonly #contestant: Contestant;
  readonly #runner: Runner;
  readonly #ids = new Map<string, string>();

  constructor(contestant: Contestant, runner: Runner) {
    this.#contestant = contestant;
    this.#runner = runner;
  }

  /** Creates the record that the verb needs. */
  async prepare(verb: Verb, shape: Shape): Promise<void> {
    if (verb !== 'POST' && !this.#ids.has(shape.name)) await this.send('POST', shape);
  }

  /**
   * Sends one request and checks its answer.
   *
   * @throws {Failed} if it is wrong
   */
  async send(verb: Verb, shape: Shape): Promise<Answer & { readonly serverMs: number }> {
    const path = verb === 'POST' ? `/${shape.name}` : `/${shape.name}/${this.#idOf(shape)}`;
    const body = verb === 'POST' || verb === 'PUT' ? shape.record : undefined;
    const what = `${verb} ${shape.name} at ${this.#contestant.name}`;
    const answer = await this.#ask(verb, path, body);
    // Whatever the result, this record is not used again.
    if (verb === 'DELETE') this.#ids.delete(shape.name);
    const wrong = wrongWith(answer, verb, shape);
    if (wrong !== undefined) {
      this.#ids.delete(shape.name);
      throw new Failed(`${what}: ${wrong}`, true);
    }
    if (verb === 'POST') this.#ids.set(shape.name, (answer.body as { id: string }).id);
    return answer as Answer & { readonly serverMs: number };
  }

  /** Deletes the records that the plan leaves, without timing it, so that the collections stay as they were; stops at the first failure. */
  async clear(shape: Shape): Promise<void> {
    if (this.#ids.has(shape.name)) await this.send('DELETE', shape);
  }

  /** Forgets all records without a request: the contestant or the database is gone. */
  forget(): void {
    this.#ids.clear();
  }

  close(): void {
    this.#runner.close();
  }

  #idOf({ name }: Shape): string {
    return encodeURIComponent(this.#ids.get(name) ?? '');
  }

  async #ask(verb: Verb, path: string, body: unknown): Promise<Answer> {
    try {
      return await this.#runner.request(verb, path, body);
    } catch (error) {
      this.#ids.clear();
      if (!(error instanceof NoAnswer)) throw error;
      throw new Failed(`${verb} ${path} at ${this.#contestant.name}: ${error.message}`, false);
    }
  }
}

/** The fault of an answer; undefined if it is right. */
function wrongWith({ status, serverMs, body }: Answer, verb: Verb, shape: Shape): string | undefined {
  if (status !== expected[verb]) return `status ${status} instead of ${expected[verb]}`;
  if (serverMs === null || !Number.isFinite(serverMs)) return 'no Server-Timing';
  if (verb === 'POST' && !(typeof idIn(body) === 'string')) return 'no id';
  // A server that quickly answers with something else has not done the work.
  if (verb === 'GET' && JSON.stringify(valueIn(body)) !== JSON.stringify(shape.record.value)) return 'not the record';
  return undefined;
}

const idIn = (body: unknown): unknown => (body as { readonly id?: unknown } | null)?.id;

const valueIn = (body: unknown): unknown => (body as { readonly value?: unknown } | null)?.value;
