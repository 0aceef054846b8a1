import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { DrainReport } from './drain.js';
import { ProductionError } from './errors.js';
import type { FromWorker, Question } from './messages.js';
import { SETTINGS_VARIABLE } from './messages.js';
import type { Settings } from './options.js';

export type MemberState = 'starting' | 'ready' | 'draining' | 'gone';

/** Time limit of a worker's health answer, in milliseconds. */
const ANSWER_TIMEOUT = 2000;

const NOTHING: DrainReport = { cut: [], failed: [] };

/** Allowance for the message and a busy process. */
const TOLERANCE = 2000;

interface Events {
  ready: [addresses: readonly string[]];
  /** It got a signal and wants to be replaced. */
  leaving: [];
  /** The process has ended. */
  gone: [];
}

/** One worker process, as its supervisor sees it. */
export class Member extends EventEmitter<Events> {
  state: MemberState = 'starting';
  /** How its process ended. */
  end = '';
  /** Its address once it is ready; undefined if it ends before that. */
  readonly started: Promise<readonly string[] | undefined>;
  /** When it became ready, by `performance.now()`. */
  readySince = 0;
  /** Why it could not start, if it has reported that. */
  failure: ProductionError | undefined = undefined;
  private readonly worker: Worker;
  private readonly settings: Settings;
  private readonly answers = new Map<number, (value: unknown) => void>();
  private asked = 0;
  private report: DrainReport | undefined = undefined;
  private limit: NodeJS.Timeout | undefined = undefined;

  constructor(settings: Settings) {
    super();
    this.settings = settings;
    this.worker = cluster.fork({ [SETTINGS_VARIABLE]: JSON.stringify(settings) });
    this.worker.on('message', (message: FromWorker) => this.hear(message));
    this.worker.once('exit', (code, signal) => this.exited(code, signal));
    this.started = new Promise((resolve) => {
      this.once('ready', resolve);
      this.once('gone', () => resolve(undefined));
    });
    // The worker has ended meanwhile: 'exit' reports it.
    this.worker.on('error', () => undefined);
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  private hear(message: FromWorker): void {
    switch (message?.nonstop) {
      case 'ready':
        if (this.state !== 'starting') return;
        this.state = 'ready';
        this.readySince = performance.now();
        this.emit('ready', message.addresses);
        break;
      case 'failed':
        this.failure = new ProductionError(message.code, message.message);
        break;
      case 'answer':
        this.answers.get(message.id)?.(message.value);
        break;
      case 'leaving':
        this.emit('leaving');
        break;
      case 'emptied':
        this.endIn((message.hooks + 1) * this.settings.hookTimeout + TOLERANCE);
        break;
      case 'drained':
        this.report = message;
        break;
    }
  }

  private exited(code: number | null, signal: string | null): void {
    this.end = signal === null ? `status ${code}` : `signal ${signal}`;
    if (this.state !== 'draining') this.state = 'gone';
    clearTimeout(this.limit);
    for (const answer of this.answers.values()) answer(undefined);
    this.emit('gone');
  }

  /** Asks a worker for a member of its health; undefined if it does not answer. */
  async ask<T>(what: Question): Promise<T | undefined> {
    if (this.state === 'gone' || !this.worker.isConnected()) return undefined;
    const id = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<unknown>((resolve) => {
      this.answers.set(id, resolve);
      timer = setTimeout(resolve, ANSWER_TIMEOUT);
      this.worker.send({ nonstop: 'ask', id, what });
    });
    const value = await answer;
    clearTimeout(timer);
    this.answers.delete(id);
    return value as T | undefined;
  }

  /** Tells it how long a connection has waited for a worker, in milliseconds. */
  waited(time: number): void {
    if (this.state === 'ready' && this.worker.isConnected()) this.worker.send({ nonstop: 'waited', time });
  }

  /** Makes it drain and end; kills it after the time limit. @param delay milliseconds for which it still listens */
  async drain(delay: number): Promise<DrainReport> {
    if (this.state === 'gone') return NOTHING;
    const gone = new Promise<void>((resolve) => this.once('gone', () => resolve()));
    if (this.state === 'starting') {
      // It has had no request so far.
      this.state = 'draining';
      this.kill();
      await gone;
      return NOTHING;
    }
    this.state = 'draining';
    if (this.worker.isConnected()) this.worker.send({ nonstop: 'drain', delay });
    this.endIn(delay + this.settings.grace + TOLERANCE);
    await gone;
    return this.report ?? { cut: [`all that worker ${this.pid} had in hand: it had to be killed`], failed: [] };
  }

  private endIn(time: number): void {
    clearTimeout(this.limit);
    this.limit = setTimeout(() => this.kill(), time);
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }
}
