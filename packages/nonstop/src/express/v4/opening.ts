import type http = require('node:http');
import { debugging } from '../../core/debug-log.js';
import { kIsAnywhere, type WalkedLayer } from '../../routing/shapes.js';
import { pathnameOf, queryOf } from '../../routing/pathname.js';
import { isPlainlyWalked } from '../../routing/v4/express4.js';
import type { Layer } from '../../routing/v4/layer.js';
import type { Router } from '../../routing/v4/router.js';
import { prepare } from '../handle.js';
import type { Application } from '../shape.js';
import { parseExtended } from './express4.js';
import { initMiddleware } from './init.js';
import { isQueried, queryMiddleware, type QueriedRequest } from './query.js';

const kOpening: unique symbol = Symbol('nonstop.opening');

/** The original first two layers of an application's router. */
interface Opening {
  readonly app: Application;
  readonly layers: readonly Layer[];
  readonly handles: readonly unknown[];
  /** Whether the query parser returns `{}` for a request without a query. */
  readonly isExtended: boolean;
}

type Opened = Router & { [kOpening]?: Opening };

/**
 * Gives a new router of an application its first two layers: one for the query, one that sets the application's
 * prototypes.
 */
export function open(app: Application, router: Router): void {
  const parser: unknown = app.get('query parser fn');
  // The original functions: an accessor on the layers' prototype may store other ones.
  const handles = [queryMiddleware(parser as object), initMiddleware(app)];
  for (const handle of handles) router.use(handle);
  const layers = router.stack.slice(0, 2);
  Object.defineProperty(router, kOpening, { value: { app, layers, handles, isExtended: parser === parseExtended } });
}

/**
 * Does the work of the first two layers for a request without a query. Walking through them would cost a tenth of a hello
 * world.
 *
 * @param layers the layers of the running walk
 * @returns the number of layers that are done: 0 if any of them was changed
 */
export function passOpening(
  router: Opened,
  layers: readonly WalkedLayer[],
  req: http.IncomingMessage & QueriedRequest,
  res: http.ServerResponse,
): number {
  const opening = router[kOpening];
  if (opening === undefined || !opening.isExtended || debugging) return 0;
  const [first, second] = opening.layers;
  if (layers[0] !== first || layers[1] !== second) return 0;
  if (!isUnchanged(first, opening.handles[0]) || !isUnchanged(second, opening.handles[1])) return 0;
  if (!isPlainlyWalked(router) || isQueried(req) || req.query !== undefined) return 0;
  try {
    if (queryOf(req) !== null) return 0;
    // An absolute target such as `http://:80` has no path: no layer is called for it.
    if (req.url.charCodeAt(0) !== 0x2f && pathnameOf(req) == null) return 0;
    req.query = {};
    prepare(opening.app, req, res);
  } catch {
    // The url cannot be parsed, the head was sent before, or `setHeader` was replaced. The walk does with it what Express does.
    return 0;
  }
  return 2;
}

function isUnchanged(layer: Layer, handle: unknown): boolean {
  return layer.handle === handle && layer[kIsAnywhere] && !Object.hasOwn(layer, 'handle_request');
}
