import fs = require('node:fs');
import { createRequire } from 'node:module';
import path = require('node:path');
import { pathToFileURL } from 'node:url';
import type { PeerSource } from '../scenario.js';

/** An application's file, ready to be started with its own Express and with Nonstop. */
export interface Entry {
  readonly file: string;
  /** Version of the Express that it has. */
  readonly express: string;
  /** The folder of Nonstop's compiled files. */
  readonly nonstop: string;
  readonly peers: { readonly Express: PeerSource; readonly Nonstop: PeerSource };
}

/**
 * Checks an application's file.
 *
 * @param node version on which it is to run
 * @param http2 whether it is to be served over HTTP/2 and TLS
 * @throws {Error} in one line, if the file or its Express is missing, or that Node cannot run it
 */
export function findEntry(name: string, node: string, http2 = false): Entry {
  const file = path.resolve(name);
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Error(`${file} is a folder; name the file that starts the application`);
  if (!found?.isFile()) throw new Error(`There is no file ${file}`);
  const port = path.join(__dirname, 'port.js');
  const nodeOptions = ['--require', port, ...typescript(file, node)];
  const env: Record<string, string> = http2 ? { LAB_HTTP2: '1' } : {};
  const common = { file, cwd: projectOf(file), announces: true, env };
  const register = pathToFileURL(require.resolve('nonstop/register')).href;
  const nonstop = fs.realpathSync(require.resolve('nonstop'));
  return {
    file,
    express: versionOfExpress(file),
    nonstop: path.dirname(path.dirname(nonstop)),
    peers: {
      Express: { ...common, nodeOptions },
      Nonstop: {
        ...common,
        nodeOptions: [...nodeOptions, '--import', register],
        env: { ...env, LAB_NONSTOP: nonstop },
      },
    },
  };
}

/** Files to try if the manifest names none. */
const USUAL_FILES = [
  'server.js',
  'app.js',
  'index.js',
  'src/server.js',
  'src/index.js',
  'server.mjs',
  'app.mjs',
  'index.mjs',
];

/**
 * The file that starts the application of a folder: the argument of node in `npm start`, else `main`, else a usual name.
 *
 * @throws {Error} in one line, when there is none
 */
export function startFile(folder: string): string {
  const manifest = path.join(folder, 'package.json');
  const { main, scripts = {} } = (fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest, 'utf8')) : {}) as {
    main?: string;
    scripts?: Record<string, string>;
  };
  const [, started] =
    /(?:^|\s)(?:node|tsx|nodemon)\s(?:.*\s)?(\S+\.[cm]?[jt]s|(?:\.\/)?bin\/\w+)(?:\s|$)/.exec(scripts['start'] ?? '') ??
    [];
  const named = [started, main].filter((name) => name !== undefined);
  const found = [...named, ...USUAL_FILES].find((name) => fs.existsSync(path.join(folder, name)));
  if (found === undefined)
    throw new Error(`${folder} does not say which file starts the application: name it, such as ./server.js`);
  return path.join(folder, found);
}

/** The usual working directory of an application: the folder of its package.json, or else the file's own folder. */
function projectOf(file: string): string {
  const own = path.dirname(file);
  for (let folder = own; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) return own;
  }
}

function versionOfExpress(file: string): string {
  try {
    return (createRequire(file)('express/package.json') as { version: string }).version;
  } catch {
    throw new Error(
      `${file} cannot load a package by the name express, whose version the lab has to know. Install express beside the file; an application that loads it by a path, or was moved to Nonstop, needs require('express') back for the comparison`,
    );
  }
}

/**
 * Options with which a Node runs this file, if it is TypeScript: with tsx if the application has it, because tsx supports
 * more of the language (enums, paths without an extension) than node's type stripping.
 */
function typescript(file: string, node: string): string[] {
  if (!/\.[cm]?ts$/.test(file)) return [];
  try {
    return ['--import', pathToFileURL(createRequire(file).resolve('tsx')).href];
  } catch {
    const [major, minor] = node.slice(1).split('.').map(Number);
    // Node strips types without a flag from 22.18 and 23.6 on.
    if (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return [];
    throw new Error(`Node ${node} does not run TypeScript by itself: install tsx beside ${file}, or use --node 24`);
  }
}
