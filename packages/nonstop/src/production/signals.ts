import { constants } from 'node:os';
import { perProcess } from '../core/shared.js';

export type HandledSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Windows sends SIGHUP when the window of a console is closed, and ends the process some seconds later. */
export const HANG_UP_ENDS = process.platform === 'win32';

type Emit = (this: NodeJS.Process, event: string, ...args: unknown[]) => boolean;

/**
 * npm and `node --watch` pass on what a terminal or systemd has sent to their children as well: such a signal comes twice within this time, in
 * milliseconds, without anybody having sent it again.
 */
const ECHO = 500;

/** The signal that began to end the process. */
export class EndingSignal {
  /** Undefined before one has come. */
  first: HandledSignal | undefined = undefined;
  private at = 0;

  begin(signal: HandledSignal): void {
    this.first = signal;
    this.at = performance.now();
  }

  /** Whether a later signal is the same one, which has come by another way. */
  isEcho(signal: HandledSignal): boolean {
    return signal === this.first && performance.now() - this.at < ECHO;
  }
}

/** Whether this process handles signals: as the command, as a worker, or by `serve()`. */
export const signals = perProcess('signals', () => ({ taken: false }));

/**
 * Handles signals before the application's own listeners, so that an application that closes its servers at SIGTERM does
 * not cut the drain short.
 *
 * @returns a function that calls the application's listeners of a signal and returns whether there are any
 */
export function takeSignals(handlers: Readonly<Record<HandledSignal, () => void>>): (signal: HandledSignal) => boolean {
  signals.taken = true;
  const emit = process.emit as Emit;
  const handled = Object.keys(handlers) as HandledSignal[];
  const taken: Emit = function (event, ...args) {
    if (!Object.hasOwn(handlers, event)) return emit.call(this, event, ...args);
    handlers[event as HandledSignal]();
    return true;
  };
  (process as { emit: unknown }).emit = taken;
  for (const signal of handled) {
    bindAgain(signal);
    // Without a listener the signal's default action ends the process.
    process.on(signal, ignore);
  }
  // An application may remove all listeners of a signal.
  process.on('removeListener', (event, listener) => {
    if (listener === ignore) process.on(event, ignore);
  });
  return (signal) => {
    if (process.listenerCount(signal) < 2) return false;
    return emit.call(process, signal, signal, constants.signals[signal]);
  };
}

/**
 * When a signal gets its first listener, node binds the current `process.emit` to it. A preload may have added one before, so all are removed
 * and added again; raw listeners, because `once()` wraps its own.
 */
function bindAgain(signal: HandledSignal): void {
  const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[];
  for (const listener of listeners) process.removeListener(signal, listener);
  for (const listener of listeners) process.on(signal, listener);
}

function ignore(): void {}
