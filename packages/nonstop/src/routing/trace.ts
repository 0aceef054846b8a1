import type http = require('node:http');
import type { TracingChannel } from 'node:diagnostics_channel';
import { errors } from './channels.js';
import { routePattern } from './route-pattern.js';
import type { Next, RoutedRequest, RoutedResponse } from './shapes.js';

/** A message of a channel whose trace ends when the request goes on, or when its response is closed. */
interface Message {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  error?: unknown;
}

/** What a trace is put around. */
interface Work {
  readonly run: (next: Next) => void;
  readonly next: Next;
  /** Completes the message before `asyncStart`. */
  readonly complete?: () => void;
}

type Channel<M extends Message> = TracingChannel<M, M>;

/** What is known of a traced request: its open traces, the innermost last, and the errors that were published. */
interface Traces {
  readonly open: Set<() => void>;
  readonly errors: Set<unknown>;
  isClosed: boolean;
}

const traced = new WeakMap<object, Traces>();

/** The traces of a request. The first call adds the listener that ends them when the response is closed. */
function tracesOf(req: object, res: object): Traces {
  const known = traced.get(req);
  if (known !== undefined) return known;
  const traces: Traces = { open: new Set(), errors: new Set(), isClosed: false };
  traced.set(req, traces);
  // One listener for each request. One for each handler would make node warn of a leak.
  if ('once' in res) {
    (res as http.ServerResponse).once('close', () => {
      traces.isClosed = true;
      for (const close of [...traces.open].reverse()) close();
    });
  }
  return traces;
}

/** Whether a value that was given to `next` is an error, not the signal to leave a route or a router. */
const isError = (value: unknown): boolean => Boolean(value) && value !== 'route' && value !== 'router';

/** Publishes an error of a request to `nonstop.error`, unless it was published before. */
export function publishError(req: RoutedRequest, res: RoutedResponse, error: unknown): void {
  if (!isError(error)) return;
  const { errors: published } = tracesOf(req, res);
  if (published.has(error)) return;
  published.add(error);
  errors.publish({ req, res, error, route: routePattern(req) });
}

/**
 * Publishes one trace around `run`: `start`, with the stores that are bound to it; `end` when it has returned; `asyncStart` and
 * `asyncEnd` when the `next` that it gets is called, or when the response is closed. What `next` leads to runs in the stores that are bound
 * to `asyncStart`.
 */
export function trace<M extends Message>(channel: Channel<M>, message: M, { next, run, complete }: Work): void {
  const traces = tracesOf(message.req, message.res);
  const { open } = traces;
  const over = (goOn?: () => void): void => {
    open.delete(closed);
    complete?.();
    channel.asyncStart.runStores(message, () => {
      channel.asyncEnd.publish(message);
      goOn?.();
    });
  };
  const closed = (): void => over();
  open.add(closed);
  channel.start.runStores(message, () => {
    try {
      run((error) => {
        if (!open.has(closed)) return next(error);
        if (isError(error)) {
          message.error = error;
          channel.error.publish(message);
        }
        over(() => next(error));
      });
    } finally {
      channel.end.publish(message);
    }
  });
  // A handler that is called after the response was closed: no 'close' will come.
  if (traces.isClosed && open.has(closed)) closed();
}
