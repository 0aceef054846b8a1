import { perProcess } from '../core/shared.js';

/** Where a process is between its start and its end. */
export type Phase = 'starting' | 'ready' | 'draining' | 'closed';

/** What is told to those who hear that the process drains. */
export interface DrainNotice {
  /** Milliseconds of the wall clock at which event streams and WebSockets are ended. */
  readonly streamsEndAt: number;
  /** Milliseconds of the wall clock at which everything that is left is cut. */
  readonly cutAt: number;
}

export interface Hook {
  readonly name: string;
  readonly run: () => unknown;
  /** Milliseconds; undefined where the option `hookTimeout` holds. */
  readonly timeout: number | undefined;
}

export interface Check {
  readonly name: string;
  readonly kind: CheckKind;
  readonly run: () => unknown;
}

/** `ready`: whether new requests should come; `live`: whether the process is worth keeping. */
export type CheckKind = 'ready' | 'live';

/** What a process knows of its own life. All copies of Nonstop in a process share one. */
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

/** One line for the operator, on stderr. */
export function say(line: string): void {
  process.stderr.write(`nonstop: ${line}\n`);
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0];
}

/**
 * Waits for `run`, but not for longer than `timeout`. What it gives after that is ignored.
 *
 * @throws what it throws, or an Error that says it has taken too long
 */
async function within<T>(timeout: number, run: () => T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([Promise.resolve().then(run), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs the hooks, one after the other, in the order in which they were added. One that throws or hangs is told of, and the next has
 * its turn.
 *
 * @returns a line for each that has failed
 */
export async function runHooks(timeout: number): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run, timeout: own } of lifecycle.hooks.splice(0)) {
    try {
      await within(own ?? timeout, run);
    } catch (error) {
      failed.push(`shutdown hook ${name}: ${messageOf(error)}`);
    }
  }
  return failed;
}

/** What a check has said, by its name: `ok`, or why not. */
export type CheckResults = Record<string, string>;

/** A check that takes longer has failed: kubelet and HAProxy wait for a second or two. */
const CHECK_TIMEOUT = 1000;

/** Asks all checks of a kind at once. A check fails where it throws, rejects, gives false or takes longer than a second. */
export async function runChecks(kind: CheckKind): Promise<{ ok: boolean; checks: CheckResults }> {
  const asked = [...lifecycle.checks.values()].filter((check) => check.kind === kind);
  const checks: CheckResults = {};
  await Promise.all(
    asked.map(async ({ name, run }) => {
      checks[name] = 'not asked';
      try {
        checks[name] = (await within(CHECK_TIMEOUT, run)) === false ? 'failed' : 'ok';
      } catch (error) {
        checks[name] = messageOf(error);
      }
    }),
  );
  return { ok: Object.values(checks).every((result) => result === 'ok'), checks };
}
