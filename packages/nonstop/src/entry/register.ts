/*
 * `nonstop/register`: what it does for a program is in register.mts.
 *
 * An installed Express keeps its place: its files are resolved as usual, and when node loads one of them, it gets a text
 * that returns Nonstop's. So agents, which identify a module by its path and version, find it, and
 * `require('/abs/node_modules/express')` returns Nonstop as well. The same applies to internal modules of Express and of
 * its `router` that packages patch: `express/lib/response`, `express/lib/router/layer` of 4, `router` and
 * `router/lib/layer` of 5, and so on. All other modules are not changed.
 *
 * If no Express is installed, the name is redirected.
 *
 * If code loads it, it applies to modules that this thread loads afterwards, and to workers that it starts.
 *
 * @throws Error on a node without module hooks, and for an unknown NONSTOP_REGISTER
 * @see https://nodejs.org/api/module.html#customization-hooks
 */

import Module = require('node:module');
import path = require('node:path');
import { fileURLToPath, pathToFileURL } from 'node:url';
import workers = require('node:worker_threads');
import { redirectRequire, replaceCompiled, replaceRead } from '../node/module-loading.js';
import { isPlaceText, textHere } from './place-text.js';
import { reachWorkers } from './reach-workers.js';
import { isQuiet, say } from './which-express.js';
import { standInAt, standInFor, type StandIn } from './stand-in.js';

const inFolder = (file: string): string => path.join(__dirname, file);
const faceOf = ({ name, hasFace }: StandIn): string => pathToFileURL(inFolder(name + (hasFace ? '.mjs' : '.js'))).href;

interface ResolveContext {
  readonly conditions: readonly string[];
  readonly parentURL?: string | undefined;
}
interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}
interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}
type Resolve = (
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Resolved,
) => Resolved;
type Load = (url: string, context: object, next: (url: string, context: object) => Loaded) => Loaded;

/** Functions that are missing in the types of Node 20. */
interface Hooks {
  registerHooks?: (hooks: { resolve: Resolve; load: Load }) => unknown;
  register?: (specifier: string, options: { parentURL: string; data: unknown }) => void;
}
/** Missing in the types and on Node 20. */
const { isInternalThread: isLoaderThread = false } = workers as { isInternalThread?: boolean };

const nodesModule: object = Module;
const hooks = nodesModule as Hooks;

const isRedirected = redirectRequire((request, importer = 'a program without a file', search) => {
  const found = standInFor(request, importer, search);
  return found === undefined ? undefined : inFolder(`${found.name}.js`);
});
// An agent may have rewritten the text from the hooks below.
replaceCompiled((text, file) => (isPlaceText(text) ? text : (textAt(file) ?? text)));
if (isLoaderThread) {
  // Node 22 runs what `--require` names in the thread of asynchronous hooks too: in front of these, synchronous ones make each import fail.
} else if (hooks.registerHooks !== undefined) {
  hooks.registerHooks({ resolve: resolveImport, load: loadText });
} else if (hooks.register !== undefined && isRedirected && replaceRead(textAt)) {
  const problem = problemOfThread();
  if (problem === undefined) {
    const data = { folder: pathToFileURL(`${__dirname}${path.sep}`).href };
    hooks.register('./register-import.mjs', { parentURL: pathToFileURL(__filename).href, data });
  } else if (!isQuiet) say(problem);
} else {
  throw new Error(`nonstop/register needs Node 20.19 or newer, this is ${process.version}`);
}
reachWorkers(__filename);
tellOfEarlier();
tellOfJest();
tellOfChildren();

/** Why node's loader thread, where the hooks of this Node run, would end the process. */
function problemOfThread(): string | undefined {
  if ('pnp' in process.versions && /\.zip[\\/]/.test(__filename))
    return "import gets what is installed: Node 20 cannot read nonstop from Yarn's archive. Set dependenciesMeta.nonstop.unplugged";
  const { permission } = process as { permission?: { has(scope: string): boolean } };
  return permission?.has('worker') === false
    ? 'import does not get Nonstop where no express is installed: this Node needs --allow-worker for it'
    : undefined;
}

/** Warns if Express was loaded before: an agent that is loaded first may do that, and node loads what `--require` names before what `--import` names. */
function tellOfEarlier(): void {
  // On Node 20 this file runs in node's loader thread too.
  if (isQuiet || !workers.isMainThread) return;
  // Of other files that an agent has loaded, their packages would have to be read.
  const main = /[\\/]express[\\/]lib[\\/]express\.js$/;
  const earlier = Object.keys(require.cache).find((file) => main.test(file) && textAt(file) !== undefined);
  if (earlier !== undefined)
    say(`${earlier} was loaded earlier and is not replaced: put --require nonstop/register first`);
}

/** Warns at the end if jest was not given Nonstop: it loads modules itself and bypasses these hooks. */
function tellOfJest(): void {
  if (isQuiet || !/[\\/](?:jest|jest-worker|jest-cli|\.bin[\\/]jest)\b/.test(process.argv[1] ?? '')) return;
  process.once('exit', () => {
    // nonstop/jest leaves this mark.
    const { JEST_WORKER_ID: runsTests } = process.env;
    if (runsTests !== undefined && !(Symbol.for('nonstop.jest') in process))
      say("jest loads modules itself, and its tests have got what is installed: set resolver to 'nonstop/jest'");
  });
}

/** Warns if a tool runs the program in another process, which a flag for the tool does not reach. */
function tellOfChildren(): void {
  const [, tool] = /[\\/](tsx|nodemon|pm2|ts-node-dev)[\\/][^\n]*$/.exec(process.argv[1] ?? '') ?? [];
  const reaches = [process.env['NODE_OPTIONS'] ?? '', ...process.argv].some((text) =>
    /nonstop\/register|[\\/]entry[\\/]register\.m?js/.test(text),
  );
  if (tool === undefined || isQuiet || reaches) return;
  say(
    `${tool} runs the program in another process, which has got what is installed: set NODE_OPTIONS to '--import nonstop/register'`,
  );
}

function loadText(...[url, context, next]: Parameters<Load>): Loaded {
  const source = url.startsWith('file:') ? textAt(fileURLToPath(url)) : undefined;
  return source === undefined ? next(url, context) : { format: 'commonjs', source, shortCircuit: true };
}

function textAt(file: string): string | undefined {
  const module = standInAt(file);
  return module === undefined ? undefined : textHere(module);
}

function resolveImport(...[specifier, context, next]: Parameters<Resolve>): Resolved {
  if (!context.conditions.includes('import')) return next(specifier, context);
  const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : path.resolve('program');
  const found = standInFor(specifier, importer, (manifest) => Module.createRequire(importer).resolve(manifest));
  return found === undefined
    ? next(specifier, context)
    : { url: faceOf(found), format: found.hasFace ? 'module' : 'commonjs', shortCircuit: true };
}
