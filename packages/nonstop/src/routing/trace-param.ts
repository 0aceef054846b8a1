import { callParam } from './call-param.js';
import type { Next, ParamHandle } from './shapes.js';
import { isThenable } from './thenable.js';
import { channel, noteThrown, publishAsyncEnd, publishEnd, tracedNext, type TraceContext } from './tracing.js';

/** Calls a param callback and publishes to the channel, as `traceHandle` does for a layer. */
export function traceParam(
  context: TraceContext & { param: string },
  handle: ParamHandle,
  value: string | string[],
  next: Next,
): void {
  const forward = tracedNext(context, next);
  const ending = new ParamEnding(context);
  const observed: ParamHandle = (...args) => {
    let returned: unknown;
    try {
      returned = handle(...args);
    } catch (thrown) {
      noteThrown(context, thrown, true);
      throw thrown;
    }
    ending.goesOn = isThenable(returned);
    if (!ending.goesOn) context.result = returned;
    return returned;
  };
  channel.start.runStores(context, () => {
    const { req, res, param: name } = context;
    try {
      callParam({ req, res, handle: observed, value, name, next: forward }, ending);
    } finally {
      ending.end();
    }
  });
}

/** Keeps the two ends of a trace in order: a thenable that settles at once is still published after `end`. */
class ParamEnding {
  goesOn = false;
  private readonly context: TraceContext;
  private ended = false;
  private settled = false;
  private early: (() => void) | undefined;

  constructor(context: TraceContext) {
    this.context = context;
  }

  fulfilled(value: unknown): void {
    this.settle(() => {
      this.context.result = value;
    });
  }

  rejected(reason: unknown): void {
    this.settle(() => noteThrown(this.context, reason, false));
  }

  end(): void {
    publishEnd(this.context, this.goesOn);
    this.ended = true;
    this.early?.();
  }

  private settle(note: () => void): void {
    if (this.settled) return;
    this.settled = true;
    const finish = (): void => {
      note();
      publishAsyncEnd(this.context);
    };
    if (this.ended) finish();
    else this.early = finish;
  }
}
