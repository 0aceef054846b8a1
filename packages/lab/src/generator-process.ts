import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pinned } from './cores.js';
import { limitOf, type LoadPlan } from './load.js';

export interface GeneratorCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly plan: LoadPlan;
  readonly signal?: AbortSignal;
  /** Interrupt the generator after the plan's time; it then prints its report. */
  readonly interrupt?: boolean;
}

interface Printed {
  stdout: string;
  stderr: string;
}

/** After this many interrupts before the generator began, the machine is too busy for a measurement. */
const MOST_STARTS = 3;

/**
 * Runs a generator on its core to its end.
 *
 * @returns what it printed
 * @throws {Error} if it cannot be started, or if `signal` aborts
 */
export async function runGenerator(what: GeneratorCommand): Promise<Readonly<Printed>> {
  let ended = await runOnce(what);
  for (let starts = 1; ended.killer === 'SIGINT' && starts < MOST_STARTS; starts++) ended = await runOnce(what);
  return ended;
}

/**
 * `killer` is the signal that ended it, if any: a generator that has begun reports after an interrupt and exits by
 * itself.
 */
async function runOnce(what: GeneratorCommand): Promise<Printed & { killer: unknown }> {
  const { command, args, plan, signal, interrupt = false } = what;
  const child = spawn(...pinned(plan.core, command, args), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the whole process group, but the lab itself decides when its generator ends.
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
