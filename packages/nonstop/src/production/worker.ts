import { drain, type DrainSteps } from './drain.js';
import { ProductionError } from './errors.js';
import { lifecycle, messageOf, timeOfHooks } from './lifecycle.js';
import { fileOf } from './load.js';
import { SETTINGS_VARIABLE, type FromWorker, type ToWorker } from './messages.js';
import { ownHealth } from './observe.js';
import type { Settings } from './options.js';
import { endAtOnce, fail, isNotReady, start, statusOf, type Program } from './run.js';
import { takeSignals } from './signals.js';
import { traffic } from './traffic.js';

/** @param then called when the message is out, or cannot be sent: without a supervisor this process is about to end */
function report(message: FromWorker, then?: () => void): void {
  // Without a callback a channel that breaks now would be an uncaught error.
  if (process.connected) process.send!(message, undefined, undefined, () => then?.());
  else then?.();
}

/** Runs a program in a process that a supervisor has started. */
export async function runWorker(program: Program): Promise<void> {
  const settings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? '') as Settings;
  delete process.env[SETTINGS_VARIABLE];
  process.on('message', (message) => hear(message as ToWorker | null, settings));
  // The supervisor decides: Ctrl-C and systemd send signals to all processes at once.
  const leave = (): void => report({ nonstop: 'leaving' });
  takeSignals({ SIGTERM: leave, SIGINT: () => undefined, SIGHUP: () => undefined });
  try {
    const { file, args } = program;
    const addresses = await start({ file: fileOf(file), args }, settings, (error) => failed(error, settings));
    report({ nonstop: 'ready', addresses });
  } catch (error) {
    // The drain that the supervisor has begun meanwhile ends the process.
    if (lifecycle.phase === 'starting' || !isNotReady(error)) failed(error, settings);
  }
}

/** Ends the process. If it listens already, it has got requests, because workers share a port: these are answered first. */
function failed(error: unknown, settings: Settings): void {
  if (!(error instanceof ProductionError)) fail(error);
  const { code, message, exitStatus } = error;
  report({ nonstop: 'failed', code, message }, () => {
    void drain({ ...settings, drainDelay: 0 }, stepsOf(settings)).finally(() => process.exit(exitStatus));
  });
}

/** Called when the supervisor has read all messages of this process, and this process all that the supervisor sent before. */
let readByNow: (() => void) | undefined;

/**
 * Waits for connections that were on their way when listening stopped. node:cluster sends them back, and the supervisor gives them to
 * other workers. If this process ended earlier, their clients would wait for ever.
 */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    readByNow = resolve;
    process.channel?.ref();
    if (process.connected) report({ nonstop: 'stopped' });
    else resolve();
  });
}

function stepsOf({ hookTimeout }: Settings): DrainSteps {
  return { stopped, emptied: () => report({ nonstop: 'emptied', time: timeOfHooks(hookTimeout) }) };
}

function hear(message: ToWorker | null, settings: Settings): void {
  if (message === null) return;
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
  } else if (message.nonstop === 'stopped') {
    readByNow?.();
  } else if (message.nonstop === 'end') {
    endAtOnce(message.status);
  } else if (message.nonstop === 'drain') {
    leave({ ...settings, drainDelay: message.delay }).catch(fail);
  }
}

/** Drains, and ends the process. */
async function leave(settings: Settings): Promise<void> {
  const outcome = await drain(settings, stepsOf(settings));
  const measured = settings.metrics ? await ownHealth.measured() : [];
  report({ nonstop: 'drained', ...outcome, measured }, () => process.exit(statusOf(outcome)));
}
