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

/** How an application is started, besides its file. */
export interface StartOptions {
  /** It is to be served over HTTP/2 and TLS. */
  readonly http2?: boolean;
  /** What its `npm start` gives it. */
  readonly given?: Omit<Start, 'file'>;
}

/**
 * Checks an application's file.
 *
 * @param node version on which it is to run
 * @throws {Error} in one line, if the file or its Express is missing, or that Node cannot run it
 */
export function findEntry(name: string, node: string, { http2 = false, given = asItIs }: StartOptions = {}): Entry {
  const file = path.resolve(name);
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Error(`${file} is a folder; name the file that starts the application`);
  if (!found?.isFile()) throw new Error(`There is no file ${file}`);
  const port = path.join(__dirname, 'port.js');
  const nodeOptions = ['--require', port, ...typescript(file, node)];
  const { nodeOptions: own, args } = given;
  const env: Record<string, string> = { ...given.env, ...(http2 && { LAB_HTTP2: '1' }) };
  const common = { file, args, cwd: projectOf(file), announces: true, env };
  const register = pathToFileURL(require.resolve('nonstop/register')).href;
  const nonstop = fs.realpathSync(require.resolve('nonstop'));
  return {
    file,
    express: versionOfExpress(file),
    nonstop: path.dirname(path.dirname(nonstop)),
    peers: {
      Express: { ...common, nodeOptions: [...nodeOptions, ...own] },
      Nonstop: {
        ...common,
        nodeOptions: [...nodeOptions, '--import', register, ...own],
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

/** The file that starts an application, and what it is given. */
export interface Start {
  readonly file: string;
  /** Options of node. */
  readonly nodeOptions: readonly string[];
  /** The words behind the file. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file that is started without more. */
export const asItIs: Omit<Start, 'file'> = { nodeOptions: [], args: [], env: {} };

/** A command that runs a file with node: the words before it, and its own. */
const RUNNER = /^(.*?)(?:^|\s)(node|tsx|nodemon)\s+(.*)$/;

/** A variable of the environment before a command. */
const VARIABLE = /^(\w+)=(.*)$/;

/** A word of a command, which may have blanks in quotes. */
const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;

/** Options of node with a value, which may be the next word. */
const WITH_VALUE = /^(?:-r|-C|--(?:require|import|(?:experimental-)?loader|env-file(?:-if-exists)?|conditions))$/;

/** Options that are for a person at the terminal. */
const FOR_A_PERSON = /^--(?:watch|inspect)/;

/**
 * What starts the application of a folder: the file in `npm start`, with its environment, options of node and arguments, else `main`, else a usual name.
 *
 * @throws {Error} in one line, if there is none, or the file of `npm start` does not exist
 */
export function startOf(folder: string): Start {
  const { main, scripts = {} } = manifestOf(folder);
  const started = startedBy(scripts['start'] ?? '');
  const isFile = (name: string): boolean =>
    fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
  if (started !== undefined && !isFile(started.file))
    throw new Error(
      `npm start runs ${started.file}, which is not there: build the application first, or name the file that starts it (${folder})`,
    );
  if (started !== undefined) return { ...started, file: path.join(folder, started.file) };
  const mains = main === undefined ? [] : [main, `${main}.js`, `${main}/index.js`];
  const found = [...mains, ...USUAL_FILES].find(isFile);
  if (found === undefined)
    throw new Error(`${folder} does not say which file starts the application: name it, such as ./server.js`);
  return { ...asItIs, file: path.join(folder, found) };
}

interface Manifest {
  readonly main?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  const file = path.join(folder, 'package.json');
  if (!fs.existsSync(file)) return {};
  try {
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest | null) ?? {};
  } catch (error) {
    throw new Error(`${file} is not JSON (${(error as Error).message})`, { cause: error });
  }
}

/** What the last command of a script that runs a file starts; undefined if that is a tool, or a folder. */
function startedBy(script: string): Start | undefined {
  const command = script.split(/&&|;/).findLast((one) => RUNNER.test(one)) ?? '';
  const [, before = '', runner, rest = ''] = RUNNER.exec(command) ?? [];
  const words = wordsOf(rest);
  const nodeOptions: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) {
      const isProgram = /\.[cm]?[jt]s$|^(?:\.\/)?bin\/\w+$/.test(word);
      return isProgram ? { file: word, nodeOptions, args: words, env: environmentIn(before) } : undefined;
    }
    const option = WITH_VALUE.test(word) ? [word, ...words.splice(0, 1)] : [word];
    // The options of tsx and nodemon are not node's.
    if (runner === 'node' && !FOR_A_PERSON.test(word)) nodeOptions.push(...option);
  }
  return undefined;
}

/** Without the quotes, as a shell gives them to a program; what is behind `|` or `>` is the shell's. */
function wordsOf(text: string): string[] {
  const [own] = text.split(/\s(?:[|&]|\d?[<>])/);
  return (own.match(WORD) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** The variables before a command, as the shell or cross-env sets them. The lab's own stay: the port, and production. */
function environmentIn(text: string): Record<string, string> {
  const pairs = wordsOf(text).flatMap((word) => {
    const [, name, value] = VARIABLE.exec(word) ?? [];
    return name === undefined || name === 'PORT' || name === 'NODE_ENV' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
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
    throw new Error(
      `Node ${node} does not run TypeScript by itself: install tsx beside ${file}, or run it with Node 24`,
    );
  }
}
