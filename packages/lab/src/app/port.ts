/**
 * Loaded into an application before its own code: it listens on a free port of 127.0.0.1 instead of its own port, and
 * reports it. So a port in use does not matter, and the application does not have to know the lab.
 */
import cluster from 'node:cluster';
import fs = require('node:fs');
import net = require('node:net');
import path = require('node:path');

type Listen = (this: net.Server, ...args: unknown[]) => net.Server;

const prototype = net.Server.prototype as unknown as { listen: Listen };
const { listen } = prototype;
const overHttp2 = process.env['LAB_HTTP2'] !== undefined;
/** Milliseconds in which a server on `PORT` may follow an application of Express that listens elsewhere, such as one for its operators. */
const GRACE = 500;

/** The same behind a server that is neither, such as that of its metrics: the application may connect to its database first. */
const LONG_GRACE = 3000;

/** Whether a server listens, or is about to. */
let chosen = false;
let told = false;
/** How many servers have listened. */
let servers = 0;

prototype.listen = function (...args) {
  const [where] = args;
  // A socket path or a handle is left alone.
  const named = typeof where === 'string' && !/^\d+$/.test(where);
  const special = typeof where === 'object' && where !== null && !('port' in where);
  if (named || special) return listen.apply(this, args);
  const asked = typeof where === 'object' && where !== null ? (where as { port?: unknown }).port : where;
  // The port from the lab is free; another port may be in use.
  const isWanted = String(asked) === process.env['PORT'];
  const isOwn = isWanted || this.listeners('request').some(isApplication);
  const found = { own: this, asked: asked ?? 0, isWanted, isOwn };
  const server = overHttp2 && (!chosen || (isOwn && !told)) ? servedOver2(this) : this;
  chosen = true;
  server.once('listening', () => {
    servers++;
    if (isWanted) report(server, found);
    else setTimeout(report, isOwn ? GRACE : LONG_GRACE, server, found);
  });
  const callbacks = args.filter((arg) => typeof arg === 'function');
  if (server !== this) for (const callback of callbacks.splice(0)) this.once('listening', callback as () => void);
  const port = isWanted ? Number(asked) : 0;
  listen.call(server, { port, host: '127.0.0.1' }, ...callbacks);
  return this;
};

/** Whether a listener for requests is an application of Express or of Nonstop. */
const isApplication = (listener: unknown): boolean =>
  typeof listener === 'function' && 'handle' in listener && 'settings' in listener;

/** A server as the application made it. */
interface Found {
  /** The lab may have put another one in its place. */
  readonly own: net.Server;
  /** The port for which it asked. */
  readonly asked: unknown;
  readonly isWanted: boolean;
  /** It is on `PORT`, or an application of Express listens to it. */
  readonly isOwn: boolean;
}

/** Reports the server on `PORT`, or else the first application of Express, or else the first server. */
function report(server: net.Server, { own, asked, isWanted, isOwn }: Found): void {
  const address = server.address() as net.AddressInfo | null;
  // It may have been closed again.
  if (told || address === null) return;
  told = true;
  // If Nonstop should replace Express, but the application has loaded neither, there is nothing to compare.
  const wanted = process.env['LAB_NONSTOP'];
  const secure = 'setSecureContext' in server;
  const isSure = isWanted || (isOwn && servers === 1);
  if (wanted === undefined && hasNonstop())
    fail('Error: the application loads nonstop itself: it has to load express, for which Nonstop is put in');
  else if (wanted === undefined || hasLoaded(path.dirname(wanted)))
    process.send?.({
      labPort: address.port,
      secure,
      routes: plainRoutes(own),
      ...(!isSure && { doubt: doubtOf(asked) }),
    });
  else fail('Error: the application listens, but has not loaded express: there is nothing to compare');
}

const doubtOf = (asked: unknown): string =>
  `Measured is the server for which the application asked for port ${String(asked)}, because none listened on process.env.PORT. If the application has another server that is meant, let that one listen there.`;

/** A server for HTTP/2 over TLS that replaces the application's own. If that is one already, it is returned. */
function servedOver2(own: net.Server): net.Server {
  // Loaded here: an application that is measured over HTTP/1.1 has no node:http2 in its memory.
  const { isHttp1Server, serveOverHttp2 } = require('./serve-http2.js') as typeof import('./serve-http2.js');
  if (isHttp1Server(own)) return serveOverHttp2(own);
  if (!('setSecureContext' in own))
    fail('Error: the application listens without HTTP, or with HTTP/2 in clear text: --http2 is for TLS');
  return own;
}

/** Whether Nonstop was loaded instead of Express: under its own name, or at the path of an installed Express. */
function hasLoaded(entries: string): boolean {
  const files = ['index.js', 'v4.js', 'lib/express.js', 'v4/lib/express.js'];
  return files.some((file) => Object.hasOwn(require.cache, path.join(entries, file)));
}

/** Whether the application itself has loaded a Nonstop, its own or this one: then both contestants would be Nonstop. */
function hasNonstop(): boolean {
  return Object.keys(require.cache).some((file) => {
    const [, folder] = /^(.+)[\\/]dist[\\/]entry[\\/](?:index|v4|(?:v4[\\/])?lib[\\/]express)\.js$/.exec(file) ?? [];
    return folder !== undefined && nameOf(folder) === 'nonstop';
  });
}

/** The name of the package in a folder; under an alias the folder has another. */
function nameOf(folder: string): unknown {
  try {
    return (JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}

interface Router {
  listRoutes(): readonly {
    readonly path: string;
    readonly methods: readonly string[] | undefined;
    readonly router: Router | undefined;
  }[];
}

/** A layer of Express 4's router, or of Nonstop's in its place. */
interface Layer4 {
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean | undefined>> };
  readonly handle?: { readonly stack?: readonly Layer4[] };
}

interface Application {
  readonly router?: Partial<Router>;
  readonly _router?: { readonly stack?: readonly Layer4[] };
}

/** GET paths of the application without parameters: as Nonstop lists them, or from the layers of Express 4; none on Express 5. */
function plainRoutes(server: net.Server): string[] {
  return (server.listeners('request') as unknown as Application[]).flatMap((app) => {
    try {
      if (app._router?.stack !== undefined) return below4('', app._router.stack);
      return app.router?.listRoutes === undefined ? [] : below('', app.router as Router);
    } catch {
      // In Express 4 `app.router` throws; an application without routes has nothing else.
      return [];
    }
  });
}

/** Whether a path has no parameters and no pattern. */
const isPlain = (path: unknown): path is string => typeof path === 'string' && /^\/[\w./~-]*$/.test(path);

function below(prefix: string, router: Router): string[] {
  return router.listRoutes().flatMap(({ path, methods, router: mounted }) => {
    const whole = `${prefix}${path}`.replace(/\/+/g, '/');
    if (!isPlain(whole)) return [];
    if (mounted !== undefined) return below(whole.replace(/\/$/, ''), mounted);
    return methods?.includes('GET') ? [whole] : [];
  });
}

function below4(prefix: string, stack: readonly Layer4[]): string[] {
  return stack.flatMap(({ regexp, route, handle }) => {
    if (route !== undefined) return isPlain(route.path) && route.methods['get'] ? [`${prefix}${route.path}`] : [];
    const mount = regexp?.fast_slash === true ? '' : mountOf(regexp);
    return handle?.stack === undefined || mount === undefined ? [] : below4(`${prefix}${mount}`, handle.stack);
  });
}

/** The path of a mounted router, of which Express 4 keeps the expression only: `^\/api\/?(?=\/|$)`. */
function mountOf(regexp: RegExp | undefined): string | undefined {
  const [, source] = /^\^(.*)\\\/\?\(\?=\\\/\|\$\)$/.exec(regexp?.source ?? '') ?? [];
  const path = source?.replaceAll(/\\([/.])/g, '$1');
  return isPlain(path) ? path : undefined;
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
