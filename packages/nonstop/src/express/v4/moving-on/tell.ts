import { callerOf } from '../../../core/caller.js';

/** What was told of each place. */
const told = new Map<string | undefined, Set<string>>();

/** The most that is told of one place: a status or a type may be what a client has sent. */
const MOST = 100;

// oxlint-disable-next-line no-explicit-any -- a method of any kind
export type Method = (this: any, ...args: any[]) => any;

/**
 * Warns once for each place of a use that Express 5 treats differently. It is a process warning: `process.on('warning')`
 * gets it.
 */
export function tell(place: string | undefined, use: string): void {
  let uses = told.get(place);
  if (uses === undefined) told.set(place, (uses = new Set()));
  if (uses.has(use) || uses.size >= MOST) return;
  uses.add(use);
  process.emitWarning(`${use} (${place ?? 'from an unknown place'})`, {
    type: 'Express5Warning',
    code: 'NONSTOP_EXPRESS5',
  });
}

/** The place in the program that led to this call. */
export function here(): string | undefined {
  return callerOf(here)?.place;
}

/** Replaces a method, and keeps its name. */
export function around(owner: object, name: string, make: (own: Method) => Method): void {
  const methods = owner as Record<string, Method>;
  methods[name] = alike(make(methods[name]), methods[name]);
}

/** Gives a function the name and other properties of the one that it replaces. */
export function alike(made: Method, own: Method): Method {
  const { length: _, prototype: __, ...rest } = Object.getOwnPropertyDescriptors(own);
  return Object.defineProperties(made, rest);
}
