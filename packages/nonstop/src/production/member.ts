import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { LONGEST_TIME } from '../core/clock.js';
import type { DrainReport } from './drain.js';
import { notReady, ProductionError } from './errors.js';
import { messageOf } from './lifecycle.js';
import type { FromWorker, Question, ToWorker } from './messages.js';
import { SETTINGS_VARIABLE } from './messages.js';
import type { Measured } from './metrics.js';
import type { Settings } from './options.js';
import { passOnWatched } from './watch.js';

export type MemberState = 'starting' | 'ready' | 'draining' | 'gone';

/** Time limit of a worker's health answer, in milliseconds. */
const ANSWER_TIMEOUT = 2000;

const NOTHING: DrainReport = { cut: [], failed: [] };

/** Added to limits that a worker keeps itself, for the delay of messages on a busy machine. In milliseconds. */
const TOLERANCE = 5000;

/** Added to `readyTimeout`, for the start of node on a busy machine. In milliseconds. */
const START = 10_000;

/** Time for a worker that ends at once to report what it cuts off. In milliseconds. */
const AT_ONCE = 1000;

/** Pings within `hangTimeout`. A worker that answers none of them hangs. */
const PINGS = 4;

interface Events {
  ready: [addresses: readonly string[]];
  /** The worker got a signal and wants to be replaced. */
  leaving: [];
  /** The process has ended. */
  gone: [];
}

/** One worker process, as its supervisor sees it. */
export class Member extends EventEmitter<Events> {
  state: MemberState = 'starting';
  /** How its process ended. */
  end = '';
  /** Its addresses once it is ready; undefined if it ends before that. */
  readonly started: Promise<readonly string[] | undefined>;
  /** When it became ready, by `performance.now()`. */
  readySince = 0;
  /** Why it could not start, if it has reported that. */
  failure: ProductionError | undefined = undefined;
  /** How often in a row its `live` checks have failed. */
  failures = 0;
  /** When they failed last, by `performance.now()`. */
  failedAt = Number.NEGATIVE_INFINITY;
  /** It got a signal, perhaps before it was ready, and wants to be replaced. */
  wantsToLeave = false;
  /** Undefined if the system refuses to start a process. */
  private readonly worker: Worker | undefined;
  private readonly settings: Settings;
  private readonly answers = new Map<number, (value: unknown) => void>();
  private asked = 0;
  private report: DrainReport | undefined = undefined;
  private drained: Promise<DrainReport> | undefined = undefined;
  /** Its connections are ended. */
  private isEmpty = false;
  /** The worker listens, so it gets connections even before it is ready. */
  private listens = false;
  /** Its last known metrics. */
  measured: Measured = [];
  private limit: NodeJS.Timeout | undefined = undefined;
  private pings: NodeJS.Timeout | undefined = undefined;
  private unanswered = 0;

  /** @param deathsBefore how many workers have died in a row in its place */
  constructor(
    settings: Settings,
    readonly deathsBefore: number,
  ) {
    super();
    this.settings = settings;
    this.started = new Promise((resolve) => {
      this.once('ready', resolve);
      this.once('gone', () => resolve(undefined));
    });
    try {
      this.worker = cluster.fork({ [SETTINGS_VARIABLE]: JSON.stringify(settings) });
    } catch (error) {
      // fork() throws if the system has no memory. For other causes it emits 'error'.
      process.nextTick(() => this.over(messageOf(error)));
      return;
    }
    this.follow(this.worker);
    const { readyTimeout } = settings;
    this.killIn(readyTimeout + START, () => {
      this.failure ??= notReady(readyTimeout, 'it is still loading');
    });
  }

  private follow(worker: Worker): void {
    worker.on('message', (message: FromWorker) => this.hear(message));
    worker.once('listening', () => (this.listens = true));
    worker.once('exit', (code, signal) => this.over(signal === null ? `status ${code}` : `signal ${signal}`));
    // A process that could not be started has no 'exit'. Errors of a started one are ignored, for example that of a message to a
    // process that is about to end: its 'exit' follows.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) this.over(messageOf(error));
    });
  }

  get process(): ChildProcess | undefined {
    return this.worker?.process;
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** @returns false if the worker's channel is closed */
  private send(message: ToWorker): boolean {
    if (this.worker === undefined || !this.worker.isConnected()) return false;
    this.worker.send(message);
    return true;
  }

  private hear(message: FromWorker): void {
    switch (message?.nonstop) {
      case 'ready':
        if (this.state !== 'starting') return;
        this.state = 'ready';
        this.readySince = performance.now();
        clearTimeout(this.limit);
        this.watch();
        this.emit('ready', message.addresses);
        break;
      case 'failed':
        this.failure = new ProductionError(message.code, message.message);
        // The worker drains now.
        this.killIn(this.settings.grace + TOLERANCE);
        break;
      case 'answer':
        this.answers.get(message.id)?.(message.value);
        break;
      case 'leaving':
        this.wantsToLeave = true;
        this.emit('leaving');
        break;
      case 'stopped':
        this.send({ nonstop: 'stopped' });
        break;
      case 'emptied':
        this.isEmpty = true;
        this.killIn(message.time + TOLERANCE);
        break;
      case 'drained':
        this.report = message;
        this.measured = message.measured;
        break;
      case 'pong':
        this.unanswered = 0;
        break;
      default:
        passOnWatched(message);
    }
  }

  /** Kills the worker if its event loop no longer turns: requests on its connections would wait for ever, and it would get new connections. */
  private watch(): void {
    const { hangTimeout } = this.settings;
    if (hangTimeout === 0) return;
    // Counts pings instead of seconds: a worker cannot answer while the machine, or this process, is suspended.
    this.pings = setInterval(() => {
      if (this.state !== 'ready') return;
      if (this.unanswered++ < PINGS) this.send({ nonstop: 'ping' });
      else this.kill(`hung for ${hangTimeout / 1000} s`);
    }, hangTimeout / PINGS);
  }

  private over(end: string): void {
    if (this.end === '') this.end = end;
    if (this.state !== 'draining') this.state = 'gone';
    clearTimeout(this.limit);
    clearInterval(this.pings);
    for (const answer of this.answers.values()) answer(undefined);
    this.emit('gone');
  }

  /** Asks a worker for a member of its health; undefined if it does not answer. */
  async ask<T>(what: Question): Promise<T | undefined> {
    if (this.state === 'gone') return undefined;
    const id = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<unknown>((resolve) => {
      this.answers.set(id, resolve);
      timer = setTimeout(resolve, ANSWER_TIMEOUT);
      if (!this.send({ nonstop: 'ask', id, what })) resolve(undefined);
    });
    const value = await answer;
    clearTimeout(timer);
    this.answers.delete(id);
    return value as T | undefined;
  }

  /** Asks the worker for its metrics. Without an answer {@link measured} stays as it was. */
  async measure(): Promise<void> {
    const measured = await this.ask('measured');
    if (Array.isArray(measured)) this.measured = measured as Measured;
  }

  /** Tells the worker how long a connection has waited for any worker, in milliseconds. */
  waited(time: number): void {
    // One that drains still gets connections for a while, and must not keep an old value.
    if (this.state === 'ready' || this.state === 'draining') this.send({ nonstop: 'waited', time });
  }

  /**
   * Makes the worker drain and end; kills it after the time limit. Further calls return the same promise.
   *
   * @param delay milliseconds for which it still listens
   */
  drain(delay: number): Promise<DrainReport> {
    return (this.drained ??= this.drainOnce(delay));
  }

  private async drainOnce(delay: number): Promise<DrainReport> {
    if (this.state === 'gone') return NOTHING;
    const gone = new Promise<void>((resolve) => this.once('gone', () => resolve()));
    // A worker that does not listen yet has no requests, so it needs no delay. It still drains: it may have something to close.
    const time = this.state === 'starting' && !this.listens ? 0 : delay;
    this.state = 'draining';
    this.send({ nonstop: 'drain', delay: time });
    this.killIn(time + this.settings.grace + TOLERANCE);
    await gone;
    return this.report ?? (this.listens || this.isEmpty ? this.withoutReport() : NOTHING);
  }

  /** It was killed, or the application has ended its process. */
  private withoutReport(): DrainReport {
    const why = this.end === 'signal SIGKILL' ? 'it had to be killed' : `it ended by itself (${this.end})`;
    if (this.isEmpty) return { cut: [], failed: [`shutdown hooks of worker ${this.pid}: ${why}`] };
    return { cut: [`everything under way in worker ${this.pid}: ${why}`], failed: [] };
  }

  /** Ends it without a drain; it tells what it cuts off. */
  endAtOnce(status: number): Promise<void> {
    const gone = new Promise<void>((resolve) => this.once('gone', () => resolve()));
    this.send({ nonstop: 'end', status });
    this.killIn(AT_ONCE);
    return gone;
  }

  private killIn(time: number, first?: () => void): void {
    clearTimeout(this.limit);
    this.limit = setTimeout(
      () => {
        first?.();
        this.kill();
      },
      Math.min(time, LONGEST_TIME),
    );
  }

  /** @param why reported as {@link end}; by default the signal */
  kill(why = ''): void {
    this.end = why;
    this.process?.kill('SIGKILL');
  }
}
