import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs the same command under `node --watch`, which restarts it when a loaded file changes.
 *
 * @param bin the file of the command
 * @param ofProgram the last arguments, which are the application's
 */
export function watchFiles(bin: string, ofProgram: readonly string[]): void {
  const own = process.argv.slice(2, process.argv.length - ofProgram.length).filter((arg) => arg !== '--watch');
  const args = [...process.execArgv, '--watch', bin, ...own, ...ofProgram];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

/**
 * Under `node --watch` each process tells its parent which files it has loaded. That parent is the supervisor for a worker, so it
 * passes the messages on: otherwise a change of the application's files would restart nothing.
 *
 * @param message from a worker
 */
export function passOnWatched(message: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  if ('watch:require' in message || 'watch:import' in message) process.send?.(message);
}
