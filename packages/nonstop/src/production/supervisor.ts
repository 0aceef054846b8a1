import cluster from 'node:cluster';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedConnections } from '../node/shared-listening.js';
import { ProductionError } from './errors.js';
import { serveHealth, type Health, type HealthSource } from './health.js';
import { messageOf, say } from './lifecycle.js';
import { Member } from './member.js';
import { counter, gauge, type Measured, type Metric } from './metrics.js';
import type { Settings } from './options.js';
import { Past } from './past.js';
import { statusOf, tellOf, tellReady, type Program } from './run.js';
import { EndingSignal, HANG_UP_ENDS, takeSignals, type HandledSignal } from './signals.js';
import { followWaitingConnections } from './waiting-connections.js';

/** The first pause before a worker that has died is replaced; each further one is twice as long. In milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;

/** After a worker was ready for this long, the next pause is the first one again. In milliseconds. */
const PROVED = 10_000;

/** The supervisor gives up when this many workers have died before the first was ready. */
const MOST_DEATHS = 3;

/** A worker is replaced when its `live` checks have failed this often in a row: the kubelet's own default. */
const MOST_FAILURES = 3;

/** Failures that come sooner after another count once. In milliseconds. */
const BETWEEN_FAILURES = 900;

/** Keeps a number of workers running that serve the same program. */
export class Supervisor implements HealthSource {
  private readonly settings: Settings;
  private readonly members = new Set<Member>();
  /** By member whose replacement has begun: whether the new worker became ready. */
  private readonly replacements = new WeakMap<Member, Promise<boolean>>();
  /** The counters of workers that have ended. */
  private readonly past = new Past();
  private readonly connections = new SharedConnections();
  private readonly restarts = { died: 0, replaced: 0 };
  /** Deaths before the first worker was ready. */
  private earlyDeaths = 0;
  private everReady = false;
  private ending = false;
  private readonly endingSignal = new EndingSignal();
  private rolling = false;
  private rollAgain = false;
  private end: (status: number) => void = () => undefined;

  /** @param bin the file of the command, run by each worker */
  constructor({ file, args }: Program, settings: Settings, bin: string) {
    this.settings = settings;
    // The supervisor accepts connections and passes them on in turn. Only this way loses no connection when a worker ends
    // (docs/decisions).
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // Each worker resolves symbolic links in the path: when a worker is replaced, `current` may point to another release.
    cluster.setupPrimary({ exec: bin, args: [path.resolve(file), ...args] });
  }

  /** @returns the exit status, once all workers have ended */
  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => {
      this.end = resolve;
    });
    const health = await serveHealth(this.settings, this);
    const passOn = takeSignals({
      SIGTERM: () => this.stopBySignal('SIGTERM'),
      SIGINT: () => this.stopBySignal('SIGINT'),
      SIGHUP: () => void (HANG_UP_ENDS ? this.stopBySignal('SIGHUP') : this.replaceAll()),
    });
    const { maxDelay } = this.settings;
    if (maxDelay > 0) {
      followWaitingConnections(this.connections, maxDelay, (time) => {
        for (const member of this.members) member.waited(time);
      });
    }
    const count = this.settings.workers as number;
    const first = Promise.all(Array.from({ length: count }, () => this.fill()));
    const addresses = await Promise.race([ended.then(() => undefined), first]);
    if (addresses !== undefined && !this.ending) tellReady(`${workers(count)} `, addresses.flat(), health);
    const status = await ended;
    const { first: signal } = this.endingSignal;
    if (signal !== undefined) passOn(signal);
    health?.close();
    return status;
  }

  /** @param deaths how many workers have died in a row in its place */
  private start(deaths: number): Member {
    const member = new Member(this.settings, deaths);
    if (member.process !== undefined) this.connections.follow(member.process);
    this.members.add(member);
    member.once('gone', () => {
      this.members.delete(member);
      for (const metrics of member.measured) this.past.add(metrics);
    });
    return member;
  }

  /** Starts workers until one is ready. @returns its address */
  private async fill(deathsBefore = 0): Promise<readonly string[]> {
    for (let deaths = deathsBefore; ;) {
      const member = this.start(deaths);
      const addresses = await member.started;
      if (addresses !== undefined) {
        this.everReady = true;
        this.keep(member);
        return addresses;
      }
      const counted = await this.pauseAfter(member);
      if (counted === undefined) return [];
      deaths = counted;
    }
  }

  /** Replaces a worker when it dies, or wants to leave. */
  private keep(member: Member): void {
    member.on('leaving', () => void this.replace(member));
    if (member.wantsToLeave) void this.replace(member);
    member.once('gone', () => {
      if (member.state === 'draining' || this.ending) return;
      if (!this.replacements.has(member)) this.refill(member);
      else say(`worker ${member.pid} died (${member.end}) while another starts in its place`);
    });
  }

  /** Fills the place of a worker that has died. */
  private refill(member: Member): void {
    if (this.ending) return;
    void this.pauseAfter(member).then((deaths) => (deaths === undefined ? undefined : this.fill(deaths)));
  }

  /**
   * Waits after the death of a worker. Each place has its own pause: if several die together, for lack of memory, all are replaced soon.
   *
   * @returns the deaths in a row in its place; undefined if no other is started
   */
  private async pauseAfter(member: Member): Promise<number | undefined> {
    if (this.ending) return undefined;
    const isProved = member.readySince !== 0 && performance.now() - member.readySince > PROVED;
    const deaths = isProved ? 1 : member.deathsBefore + 1;
    if (!this.everReady && (++this.earlyDeaths >= MOST_DEATHS || member.failure !== undefined)) {
      this.giveUp(member);
      return undefined;
    }
    const pause = Math.min(FIRST_PAUSE * 2 ** (deaths - 1), LONGEST_PAUSE);
    const reason = member.failure?.message ?? member.end;
    say(`worker ${member.pid} died (${reason}), another starts in ${pause} ms`);
    this.restarts.died++;
    await sleep(pause);
    return this.ending ? undefined : deaths;
  }

  private giveUp(member: Member): void {
    const text = `no worker becomes ready: ${this.earlyDeaths} died, the last by ${member.end}`;
    const error = member.failure ?? new ProductionError('ERR_NONSTOP_WORKER', text);
    if (this.ending) return;
    this.ending = true;
    // Killed first, so that they print nothing after this line.
    for (const other of this.members) other.kill();
    say(error.message);
    this.endWhenEmpty(error.exitStatus);
  }

  private endWhenEmpty(status: number): void {
    if (this.members.size === 0) return this.end(status);
    for (const member of this.members) member.once('gone', () => this.members.size === 0 && this.end(status));
  }

  private endAtOnce(signal: HandledSignal): void {
    say(`${signal} again: ending at once`);
    const status = 128 + constants.signals[signal];
    void Promise.all([...this.members].map((member) => member.endAtOnce(status))).then(() => process.exit(status));
  }

  private stopBySignal(signal: HandledSignal): void {
    if (this.ending) {
      if (!this.endingSignal.isEcho(signal)) this.endAtOnce(signal);
      return;
    }
    this.endingSignal.begin(signal);
    say(`${signal}: draining`);
    this.ending = true;
    const delay = signal === 'SIGTERM' ? this.settings.drainDelay : 0;
    const all = [...this.members].map((member) => member.drain(delay));
    Promise.all(all).then(
      (reports) => {
        const report = { cut: reports.flatMap(({ cut }) => cut), failed: reports.flatMap(({ failed }) => failed) };
        tellOf(report);
        this.end(statusOf(report));
      },
      (error: unknown) => say(messageOf(error)),
    );
  }

  /** Replaces all workers one after another. Each ends when its replacement is ready. */
  async replaceAll(): Promise<void> {
    if (this.ending) return say('SIGHUP: nothing is replaced, all workers end');
    if (this.rolling) {
      this.rollAgain = true;
      return;
    }
    this.rolling = true;
    do {
      this.rollAgain = false;
      say('SIGHUP: replacing all workers');
      say(`${workers(await this.replaceOld())} replaced`);
    } while (this.rollAgain && !this.ending);
    this.rolling = false;
  }

  /** Replaces the present workers, until a replacement fails. @returns how many were replaced */
  private async replaceOld(): Promise<number> {
    let replaced = 0;
    for (const member of [...this.members].filter(({ state }) => state !== 'draining')) {
      // A starting worker may have loaded the old files. A worker that has died was replaced already.
      if ((await member.started) === undefined || member.state === 'gone') continue;
      if (await this.replace(member)) replaced++;
      else if (member.state === 'ready') break;
    }
    return replaced;
  }

  /** @returns whether another worker is ready in its place; otherwise `member` stays */
  private replace(member: Member): Promise<boolean> {
    const known = this.replacements.get(member);
    if (known !== undefined) return known;
    if (this.ending || member.state !== 'ready') return Promise.resolve(false);
    const replacement = this.replaceOnce(member);
    this.replacements.set(member, replacement);
    return replacement;
  }

  private async replaceOnce(member: Member): Promise<boolean> {
    const next = this.start(0);
    if ((await next.started) === undefined) {
      const why = next.failure?.message ?? next.end;
      // The old worker may have died meanwhile.
      if (member.state !== 'ready') this.refill(member);
      else if (!this.ending) say(`the new worker is not ready (${why}): worker ${member.pid} stays`);
      // A worker that stays can be replaced later. Successful replacements are kept for SIGHUP, which skips these workers.
      this.replacements.delete(member);
      return false;
    }
    this.keep(next);
    this.restarts.replaced++;
    const report = await member.drain(0);
    // When the supervisor ends, its own report includes this one.
    if (!this.ending && report.cut.length + report.failed.length > 0) tellOf(report);
    return true;
  }

  live(): Promise<Health> {
    return this.askAll('live');
  }

  async ready(): Promise<Health> {
    if (this.ending) return { ok: false, checks: { process: 'draining' } };
    return this.askAll('ready');
  }

  /** The health of the best worker: a starting or blocked worker is no reason to send requests elsewhere. */
  private async askAll(what: 'live' | 'ready'): Promise<Health> {
    const running = [...this.members].filter(({ state }) => state !== 'gone');
    const none = running.every(({ state }) => state === 'starting');
    // Workers that still load their program cannot answer. A failed /livez would get them killed.
    if (what === 'live' && none) return { ok: true, checks: {} };
    // If none is ready, those that start tell what they wait for.
    const asked = what === 'live' || none ? running : running.filter(({ state }) => state === 'ready');
    const answers = asked.map((member) => member.ask<Health>(what));
    if (what === 'live') void this.replaceFailing(asked, answers);
    return bestOf(answers);
  }

  /** Replaces workers whose checks fail while those of others pass: `/livez` is that of the best one, so nobody else would. */
  private async replaceFailing(
    asked: readonly Member[],
    answers: readonly Promise<Health | undefined>[],
  ): Promise<void> {
    const all = await Promise.all(answers);
    if (!asked.some(({ state }, index) => state === 'ready' && all[index]?.ok)) return;
    const now = performance.now();
    for (const [index, member] of asked.entries()) {
      const { ok, checks } = all[index] ?? { ok: undefined };
      // One without an answer may be busy; one that hangs is killed.
      if (ok === undefined || this.replacements.has(member)) continue;
      // Several may probe at the same time.
      if (!ok && now - member.failedAt < BETWEEN_FAILURES) continue;
      member.failures = ok ? 0 : member.failures + 1;
      member.failedAt = now;
      if (member.failures < MOST_FAILURES || member.state !== 'ready') continue;
      member.failures = 0;
      const failing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
      say(`worker ${member.pid} fails its live checks (${failing.join(', ')}): another starts in its place`);
      void this.replace(member);
    }
  }

  async measured(): Promise<Measured> {
    await Promise.all([...this.members].map((member) => member.measure()));
    // `past` includes workers that ended meanwhile.
    return [...[...this.members].flatMap(({ measured }) => measured), this.past.all(), this.own()];
  }

  private own(): Metric[] {
    const states = { starting: 0, ready: 0, draining: 0, gone: 0 };
    for (const { state } of this.members) states[state]++;
    const { gone: _, ...counted } = states;
    return [
      counter(
        'nonstop_worker_restarts_total',
        'Workers started to replace others, by reason.',
        Object.entries(this.restarts).map(([reason, count]) => [{ reason }, count]),
      ),
      gauge(
        'nonstop_workers',
        'Worker processes, by state.',
        Object.entries(counted).map(([state, count]) => [{ state }, count]),
      ),
    ];
  }
}

const workers = (count: number): string => (count === 1 ? '1 worker' : `${count} workers`);

/** @returns the first healthy answer, without waiting for the others, or else an unhealthy one */
function bestOf(asked: readonly Promise<Health | undefined>[]): Promise<Health> {
  const well = asked.map(async (asking) => {
    const answer = await asking;
    if (answer?.ok === true) return answer;
    throw new Error('not healthy');
  });
  return Promise.any(well).catch(async () => {
    const answers = await Promise.all(asked);
    return answers.find((answer) => answer !== undefined) ?? { ok: false, checks: { workers: 'none answers' } };
  });
}
