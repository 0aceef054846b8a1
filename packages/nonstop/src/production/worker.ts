import { drain } from './drain.js';
import { ProductionError } from './errors.js';
import { messageOf, timeOfHooks } from './lifecycle.js';
import { fileOf } from './load.js';
import { SETTINGS_VARIABLE, type FromWorker, type ToWorker } from './messages.js';
import { ownHealth } from './observe.js';
import type { Settings } from './options.js';
import { fail, start, statusOf, type Program } from './run.js';
import { takeSignals } from './signals.js';
import { traffic } from './traffic.js';

function report(message: FromWorker, then?: () => void): void {
  if (process.connected) process.send!(message, undefined, undefined, then && (() => then()));
  else then?.();
}

/** Runs a program in a process that a supervisor has started. */
export async function runWorker(program: Program): Promise<void> {
  const settings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? '') as Settings;
  delete process.env[SETTINGS_VARIABLE];
  process.on('message', (message) => hear(message as ToWorker, settings));
  // The supervisor decides: Ctrl-C and systemd send signals to all processes at once.
  const leave = (): void => report({ nonstop: 'leaving' });
  takeSignals({ SIGTERM: leave, SIGINT: () => undefined, SIGHUP: () => undefined });
  try {
    const { file, args } = program;
    report({ nonstop: 'ready', addresses: await start({ file: fileOf(file), args }, settings, failed) });
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  if (!(error instanceof ProductionError)) fail(error);
  const { code, message, exitStatus } = error;
  report({ nonstop: 'failed', code, message }, () => process.exit(exitStatus));
}

function hear(message: ToWorker, settings: Settings): void {
  if (message.nonstop === 'ask') {
    const { id, what } = message;
    ownHealth[what]().then(
      (value) => report({ nonstop: 'answer', id, value }),
      (error: unknown) =>
        report({ nonstop: 'answer', id, value: { ok: false, checks: { process: messageOf(error) } } }),
    );
  } else if (message.nonstop === 'waited') {
    if (traffic.gate !== null) traffic.gate.waited = message.time;
  } else if (message.nonstop === 'ping') {
    report({ nonstop: 'pong' });
  } else if (message.nonstop === 'drain') {
    leave({ ...settings, drainDelay: message.delay }).catch(fail);
  }
}

/** Drains, and ends the process. */
async function leave(settings: Settings): Promise<void> {
  const outcome = await drain(settings, () => report({ nonstop: 'emptied', time: timeOfHooks(settings.hookTimeout) }));
  const measured = settings.metrics ? await ownHealth.measured() : [];
  report({ nonstop: 'drained', ...outcome, measured }, () => process.exit(statusOf(outcome)));
}
