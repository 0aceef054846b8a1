import { perProcess } from '../core/shared.js';
import { IncomingMessage } from './request/class.js';
import { httpModule } from './http-module.js';
import { NodeRequest } from '../node/classes.js';
import { serveEveryServer } from './server/every-server.js';
import { getKnown, knownField, setKnown, setMade } from './response/fields.js';
import { ServerResponse } from './response/class.js';
import { handOver } from './server/hand-over.js';
import { accelerate, makeUnusable, isSettled, leaveToNode } from './server/takeover.js';

export type { KnownField } from './response/fields.js';

/** Raised by 1 with every member that is added below, or to `nonstop/http`: what is there never changes its meaning. */
const REVISION = 2;

const own = {
  revision: REVISION,
  httpModule,
  IncomingMessage,
  ServerResponse,
  NodeRequest,
  accelerate,
  isSettled,
  leaveToNode,
  handOver,
  serveEveryServer,
  knownField,
  getKnown,
  setKnown,
  setMade,
};

/**
 * The engine as the framework sees it: all that goes from one to the other goes by here.
 *
 * Copies of one major version in one process share the engine of the copy that was loaded first (docs/decisions/0014). One that
 * needs more than that offers has no engine, and leaves its servers to node.
 */
export const host: typeof own = choose(perProcess('engine', () => own));

function choose(first: typeof own): typeof own {
  if (first.revision >= REVISION) return first;
  makeUnusable();
  return own;
}
