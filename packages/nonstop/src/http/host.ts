import { perProcess } from '../core/shared.js';
import { IncomingMessage } from './request/class.js';
import { httpModule } from './http-module.js';
import { NodeRequest } from '../node/classes.js';
import { serveEveryServer } from './server/every-server.js';
import { getKnown, knownField, setKnown, setMade } from './response/fields.js';
import { ServerResponse } from './response/class.js';
import { handOver } from './server/hand-over.js';
import { accelerate, makeUnusable, isDecided, leaveToNode } from './server/takeover.js';

export { LATE_MEMBERS_MAKE_CLASSES } from '../node/differences.js';
export type { KnownField } from './response/fields.js';

/** Raised by 1 with every member that is added below or to `nonstop/http`. The meaning of a member never changes. */
const REVISION = 2;

const own = {
  revision: REVISION,
  httpModule,
  IncomingMessage,
  ServerResponse,
  NodeRequest,
  accelerate,
  isDecided,
  leaveToNode,
  handOver,
  serveEveryServer,
  knownField,
  getKnown,
  setKnown,
  setMade,
};

/**
 * The engine's interface for the framework, which uses nothing else of it.
 *
 * All copies of one major version in a process share the engine of the copy that was loaded first (docs/decisions/0014).
 * A copy that needs members which that engine lacks leaves its servers to node.
 */
export const host: typeof own = choose(perProcess('engine', () => own));

function choose(first: typeof own): typeof own {
  if (first.revision >= REVISION) return first;
  makeUnusable();
  return own;
}
