/**
 * Loaded into an application before its own code: whatever port it asks for, it listens on a free one of 127.0.0.1 and says
 * which. So a port that is taken is no obstacle, and the application need not know of the lab.
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
  // A path of a socket, or a handle: not for the lab.
  const named = typeof where === 'string' && !/^\d+$/.test(where);
  const special = typeof where === 'object' && where !== null && !('port' in where);
  if (named || special) return listen.apply(this, args);
  this.once('listening', () => {
    const { port } = this.address() as net.AddressInfo;
    // The first server is the application's; others may be for its metrics.
    if (told) return;
    told = true;
    // Where Nonstop is to stand in for Express, and the application has loaded neither, there would be nothing to compare.
    const wanted = process.env['LAB_NONSTOP'];
    const secure = 'setSecureContext' in this;
    if (wanted === undefined || hasLoaded(path.dirname(wanted)))
      process.send?.({ labPort: port, secure, routes: plainRoutes(this) });
    else fail('Error: the application listens, but has not loaded express: there is nothing to compare');
  });
  const callbacks = args.filter((arg) => typeof arg === 'function');
  const asked = typeof where === 'object' && where !== null ? (where as { port?: unknown }).port : where;
  // The port that it was given is free; whatever else it asks for may be taken.
  const port = String(asked) === process.env['PORT'] ? Number(asked) : 0;
  return listen.call(this, { port, host: '127.0.0.1' }, ...callbacks);
};

/** Whether Nonstop was loaded in the place of Express: by its name, or where an installed Express is. */
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

/** Paths of the application that answer GET and have no parameters, as Nonstop lists them; none under Express. */
function plainRoutes(server: net.Server): string[] {
  try {
    const routers = server.listeners('request').map((app) => (app as { router?: Partial<Router> }).router);
    return routers.flatMap((router) => (router?.listRoutes === undefined ? [] : below('', router as Router)));
  } catch {
    // Express 4 throws where one asks for `app.router`.
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
