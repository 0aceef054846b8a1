import { perProcess } from '../core/shared.js';

/** The phase of a process. */
export type Phase = 'starting' | 'ready' | 'draining' | 'closed';

/** The argument of drain listeners. */
export interface DrainNotice {
  /** When event streams and WebSockets are ended, in milliseconds since the epoch. */
  readonly streamsEndAt: number;
  /** When remaining requests are cut off, in milliseconds since the epoch. */
  readonly cutAt: number;
}

/** @internal */
export interface Hook {
  readonly name: string;
  readonly run: () => unknown;
  /** Milliseconds; undefined means the option `hookTimeout`. */
  readonly timeout: number | undefined;
}

/** @internal */
export interface Check {
  readonly name: string;
  readonly kind: CheckKind;
  readonly run: () => unknown;
}

/** `ready`: whether new requests should come; `live`: whether the process should be kept. */
export type CheckKind = 'ready' | 'live';

/** The life cycle of the process. All copies of Nonstop in a process share one. @internal */
export interface Lifecycle {
  phase: Phase;
  readonly hooks: Hook[];
  readonly checks: Map<string, Check>;
  readonly notices: Set<(notice: DrainNotice) => void>;
  readonly draining: AbortController;
}

export const lifecycle: Lifecycle = perProcess('lifecycle', () => ({
  phase: 'starting',
  hooks: [],
  checks: new Map(),
  notices: new Set(),
  draining: new AbortController(),
}));

let saidBefore = false;

/** Whether this process has written a line for the operator. */
export const hasSaid = (): boolean => saidBefore;

/** One line for the operator, on stderr. */
export function say(line: string): void {
  // A closed log (EPIPE) must not end the process.
  if (!saidBefore) process.stderr.on('error', () => undefined);
  saidBefore = true;
  process.stderr.write(`nonstop: ${line}\n`);
}

export function messageOf(error: unknown): string {
  // The error of a connection to a name with several addresses has no message.
  const text = error instanceof Error ? error.message || (error as { code?: string }).code || error.name : error;
  return String(text).split('\n', 1)[0];
}

/**
 * Waits for `run`, up to `timeout`. A later result is ignored.
 *
 * @throws the error of `run`, or an Error after the timeout
 */
export async function within<T>(timeout: number, run: () => T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([Promise.resolve().then(run), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The hooks of the drain that has come to them. */
let called: readonly Hook[] = [];

/** How long the hooks may take together, in milliseconds. */
export function timeOfHooks(timeout: number): number {
  return [...called, ...lifecycle.hooks].reduce((sum, hook) => sum + (hook.timeout ?? timeout), 0);
}

/**
 * Runs the hooks one after another, in the order in which they were added. One that throws or hangs is reported, and the
 * next one runs.
 *
 * @returns a line for each failed hook
 */
export async function runHooks(timeout: number): Promise<string[]> {
  const failed: string[] = [];
  called = lifecycle.hooks.splice(0);
  for (const { name, run, timeout: own } of called) {
    try {
      await within(own ?? timeout, run);
    } catch (error) {
      failed.push(`shutdown hook ${name}: ${messageOf(error)}`);
    }
  }
  return failed;
}

/** The results of checks by name: `ok`, or the reason. @internal */
export type CheckResults = Record<string, string>;

/** Time limit of a check: kubelet and HAProxy wait for a second or two. */
const CHECK_TIMEOUT = 1000;

/**
 * A check that is pending for longer is called again, in milliseconds: its answer may never arrive, although the service that it asks is
 * well again.
 */
const ASK_AGAIN = 5000;

interface Asked {
  readonly since: number;
  /** `ok`, or the reason. */
  readonly result: Promise<string>;
}

/** Pending checks. Probes share them: otherwise each probe would call a check that hangs once more. */
const asked = new WeakMap<Check, Asked>();

function resultOf(check: Check): Promise<string> {
  const before = asked.get(check);
  if (before !== undefined && performance.now() - before.since < ASK_AGAIN) return before.result;
  const running = Promise.resolve().then(check.run);
  const result = within(CHECK_TIMEOUT, () => running).then((value) => (value === false ? 'failed' : 'ok'), messageOf);
  const now = { since: performance.now(), result };
  asked.set(check, now);
  const over = (): void => {
    if (asked.get(check) === now) asked.delete(check);
  };
  running.then(over, over);
  return result;
}

/** Runs all checks of a kind at once. A check fails if it throws, rejects, returns false or takes longer than a second. */
export async function runChecks(kind: CheckKind): Promise<{ ok: boolean; checks: CheckResults }> {
  const checks: CheckResults = {};
  const wanted = [...lifecycle.checks.values()].filter((check) => check.kind === kind);
  await Promise.all(
    wanted.map(async (check) => {
      checks[check.name] = 'not asked';
      checks[check.name] = await resultOf(check);
    }),
  );
  return { ok: Object.values(checks).every((result) => result === 'ok'), checks };
}
