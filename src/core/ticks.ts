const { _tickCallback: nodeTicks } = process as typeof process & { readonly _tickCallback?: () => void };

/**
 * Lets the process have the ticks and microtasks that wait, as it has them whenever a callback from node's own code returns.
 * Every supported Node keeps this old way to ask for it; without it they wait until the read has been handled.
 */
export function runTicks(): void {
  nodeTicks?.call(process);
}
