/**
 * Loaded into an application before its own code: it listens on a free port of 127.0.0.1 instead of its own port, and
 * reports it. So a port in use does not matter, and the application does not have to know the lab.
 */
import cluster from 'node:cluster';
import net = require('node:net');
import path = require('node:path');

type Listen = (this: net.Server, ...args: unknown[]) => net.Server;

const prototype = net.Server.prototype as unknown as { listen: Listen };
const { listen } = prototype;
let told = false;

prototype.listen = function (...args) {
  const [where] = args;
  // A socket path or a handle: not the lab's.
  const named = typeof where === 'string' && !/^\d+$/.test(where);
  const special = typeof where === 'object' && where !== null && !('port' in where);
  if (named || special) return listen.apply(this, args);
  this.once('listening', () => {
    const { port } = this.address() as net.AddressInfo;
    // The first server is the application's; others may be for its metrics.
    if (told) return;
    told = true;
    // If Nonstop should replace Express, but the application has loaded neither, there is nothing to compare.
    const wanted = process.env['LAB_NONSTOP'];
    const secure = 'setSecureContext' in this;
    if (wanted === undefined || hasLoaded(path.dirname(wanted)))
      process.send?.({ labPort: port, secure, routes: plainRoutes(this) });
    else fail('Error: the application listens, but has not loaded express: there is nothing to compare');
  });
  const callbacks = args.filter((arg) => typeof arg === 'function');
  const asked = typeof where === 'object' && where !== null ? (where as { port?: unknown }).port : where;
  // The port from the lab is free; another port may be in use.
  const port = String(asked) === process.env['PORT'] ? Number(asked) : 0;
  return listen.call(this, { port, host: '127.0.0.1' }, ...callbacks);
};

/** Whether Nonstop was loaded instead of Express: under its own name, or at the path of an installed Express. */
function hasLoaded(entries: string): boolean {
  const files = ['index.js', 'v4.js', 'lib/express.js', 'v4/lib/express.js'];
  return files.some((file) => Object.hasOwn(require.cache, path.join(entries, file)));
}

interface Router {
  listRoutes(): readonly {
    readonly path: string;
    readonly methods: readonly string[] | undefined;
    readonly router: Router | undefined;
  }[];
}

/** GET paths of the application without parameters, as Nonstop lists them; none on Express. */
function plainRoutes(server: net.Server): string[] {
  try {
    const routers = server.listeners('request').map((app) => (app as { router?: Partial<Router> }).router);
    return routers.flatMap((router) => (router?.listRoutes === undefined ? [] : below('', router as Router)));
  } catch {
    // In Express 4 `app.router` throws.
    return [];
  }
}

function below(prefix: string, router: Router): string[] {
  return router.listRoutes().flatMap(({ path, methods, router: mounted }) => {
    const whole = `${prefix}${path}`.replace(/\/+/g, '/');
    if (!/^\/[\w./~-]*$/.test(whole)) return [];
    if (mounted !== undefined) return below(whole.replace(/\/$/, ''), mounted);
    return methods?.includes('GET') ? [whole] : [];
  });
}

cluster.once('fork', () =>
  fail(
    'Error: the application starts processes of its own (node:cluster), the lab measures one: name the file of a worker',
  ),
);

function fail(why: string): void {
  console.error(why);
  process.exit(1);
}
