type Ticks = (this: typeof process) => void;

const nodeTicks = ticksOf((process as typeof process & { readonly _tickCallback?: Ticks })._tickCallback);

/**
 * node's function behind `process._tickCallback`. With `--pending-deprecation` the process has a wrapper instead, made by
 * `util.deprecate()`: it warns when it is called (DEP0134), and the function is its prototype.
 */
function ticksOf(given: unknown): Ticks | undefined {
  for (let each = given; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    if (each.name === 'runNextTicks') return each as Ticks;
  }
  return undefined;
}

/** What a tick has thrown. */
export interface Thrown {
  readonly error: unknown;
}

/**
 * Lets the process have the ticks and microtasks that wait, as it has them whenever a callback from node's own code returns.
 * Every supported Node keeps this old way to ask for it; without it they wait until the read has been handled.
 *
 * @returns what a tick has thrown. The caller has to throw it again out of the callback that node's code has called: only that tidies
 * up the async context that the tick has left behind. To swallow it, or to throw it in a tick, ends the process later ("async hook
 * stack has become corrupted").
 */
export function runTicks(): Thrown | null {
  try {
    nodeTicks?.call(process);
    return null;
  } catch (error) {
    return { error };
  }
}

/** Throws `error` in a tick of its own, where nobody catches it: for what user code throws in the middle of the caller's work. */
export function throwInTick(error: unknown): void {
  process.nextTick(throwAgain, error);
}

function throwAgain(error: unknown): never {
  throw error;
}
