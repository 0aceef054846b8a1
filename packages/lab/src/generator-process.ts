import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pinned } from './cores.js';
import { limitOf, type LoadPlan } from './load.js';

export interface GeneratorCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly plan: LoadPlan;
  readonly signal?: AbortSignal;
  /** Interrupt it when the plan's time is over: for a generator that reports then. */
  readonly interrupt?: boolean;
}

interface Printed {
  stdout: string;
  stderr: string;
}

/** A machine so busy that a generator is interrupted before it began, this often in turn, is none to measure on. */
const MOST_STARTS = 3;

/**
 * Runs a generator on its core to its end.
 *
 * @returns what it printed
 * @throws {Error} when it cannot be started, or `signal` ends it
 */
export async function runGenerator(what: GeneratorCommand): Promise<Readonly<Printed>> {
  let ended = await runOnce(what);
  for (let starts = 1; ended.killer === 'SIGINT' && starts < MOST_STARTS; starts++) ended = await runOnce(what);
  return ended;
}

/** `killer` is the signal that ended it, where one did: a generator that had begun reports when it is interrupted, and ends itself. */
async function runOnce(what: GeneratorCommand): Promise<Printed & { killer: unknown }> {
  const { command, args, plan, signal, interrupt = false } = what;
  const child = spawn(...pinned(plan.core, command, args), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to a whole process group: the lab decides itself when its generator ends.
    detached: true,
    signal,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const timers = [setTimeout(() => child.kill('SIGKILL'), limitOf(plan))];
  if (interrupt) timers.push(setTimeout(() => child.kill('SIGINT'), plan.seconds * 1000));
  try {
    const [, killer] = (await once(child, 'close')) as unknown[];
    return { ...output, killer };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
