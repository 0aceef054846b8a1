import type { Next, ParamHandle, RoutedRequest, RoutedResponse } from './shapes.js';
import { deprecate, ignoreValue, isThenable, reasonOf } from './thenable.js';

/** One call of one callback of `router.param`. */
export interface ParamCallSite {
  readonly req: RoutedRequest;
  readonly res: RoutedResponse;
  readonly handle: ParamHandle;
  readonly value: string | string[];
  readonly name: string;
  readonly next: Next;
}

/** Gets the outcome of a promise, for the trace. */
export interface Outcome {
  fulfilled(value: unknown): void;
  rejected(reason: unknown): void;
}

/** Calls a param callback. A thrown error or a rejection goes to `next`. A fulfilled promise does not call `next`. */
export function callParam(site: ParamCallSite, outcome?: Outcome): void {
  const reject = (reason: unknown): void => {
    site.next(reason);
    outcome?.rejected(reason);
  };
  try {
    const { handle } = site;
    const returned = handle(site.req, site.res, site.next, site.value, site.name);
    if (!isThenable(returned)) return;
    if (!(returned instanceof Promise)) {
      deprecate()('parameters that are Promise-like are deprecated, use a native Promise instead');
    }
    try {
      returned.then(outcome === undefined ? ignoreValue : (value) => outcome.fulfilled(value), (reason: unknown) =>
        reject(reasonOf(reason)),
      );
    } catch (thrown) {
      reject(thrown);
    }
  } catch (thrown) {
    site.next(thrown);
  }
}
