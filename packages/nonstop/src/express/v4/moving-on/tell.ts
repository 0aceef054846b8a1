import { callerOf } from '../../../core/caller.js';

const told = new Set<string>();

// oxlint-disable-next-line no-explicit-any -- a method of any kind
export type Method = (this: any, ...args: any[]) => any;

/** Warns of a use that Express 5 answers otherwise, once for each place. It is a warning of node's: `process.on('warning')` hears it. */
export function tell(place: string | undefined, use: string): void {
  const line = `${use} (${place ?? 'from an unknown place'})`;
  if (told.has(line)) return;
  told.add(line);
  process.emitWarning(line, { type: 'Express5Warning', code: 'NONSTOP_EXPRESS5' });
}

/** Where the program is that has led here. */
export function here(): string | undefined {
  return callerOf(here)?.place;
}

/** Puts a method in the place of another, under its name. */
export function around(owner: object, name: string, make: (own: Method) => Method): void {
  const methods = owner as Record<string, Method>;
  methods[name] = alike(make(methods[name]), methods[name]);
}

/** Gives a function the name and the other properties of the one that it stands for. */
export function alike(made: Method, own: Method): Method {
  const { length: _, prototype: __, ...rest } = Object.getOwnPropertyDescriptors(own);
  return Object.defineProperties(made, rest);
}
