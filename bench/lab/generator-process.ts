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

/**
 * Runs a generator on its core to its end.
 *
 * @returns what it printed
 * @throws {Error} when it cannot be started, or `signal` ends it
 */
export async function runGenerator(
  what: GeneratorCommand,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
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
    await once(child, 'close');
    return output;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
