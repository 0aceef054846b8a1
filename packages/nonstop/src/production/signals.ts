export type HandledSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

type Emit = (this: NodeJS.Process, event: string, ...args: unknown[]) => boolean;

/**
 * Takes signals before the application's own listeners hear them, so that an application which closes its servers at SIGTERM does not
 * cut the drain short.
 *
 * @returns what lets the application's listeners hear a signal; it gives whether there are any
 */
export function takeSignals(handlers: Readonly<Record<HandledSignal, () => void>>): (signal: HandledSignal) => boolean {
  const emit = process.emit as Emit;
  const handled = Object.keys(handlers) as HandledSignal[];
  const taken: Emit = function (event, ...args) {
    if (!Object.hasOwn(handlers, event)) return emit.call(this, event, ...args);
    handlers[event as HandledSignal]();
    return true;
  };
  (process as { emit: unknown }).emit = taken;
  // Without a listener node leaves a signal to the system, which ends the process.
  for (const signal of handled) process.on(signal, ignore);
  return (signal) => {
    if (process.listenerCount(signal) < 2) return false;
    return emit.call(process, signal, signal);
  };
}

function ignore(): void {}
