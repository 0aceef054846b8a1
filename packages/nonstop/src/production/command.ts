import cluster from 'node:cluster';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ProductionError } from './errors.js';
import { messageOf } from './lifecycle.js';
import { fileOf } from './load.js';
import { SETTINGS_VARIABLE } from './messages.js';
import { OPTIONS, readOptions } from './options.js';
import { fail, runHere } from './run.js';
import { Supervisor } from './supervisor.js';
import { watchFiles } from './watch.js';
import { runWorker } from './worker.js';

interface Command {
  /** Undefined if there is none. */
  readonly file: string | undefined;
  readonly args: readonly string[];
  readonly given: Readonly<Record<string, unknown>>;
  readonly watch: boolean;
}

/**
 * The command `nonstop`.
 *
 * @param folder of the package's entries
 */
export async function runCommand(folder: string): Promise<void> {
  const argv = process.argv.slice(2);
  try {
    // The variable is missing in the workers of another supervisor, such as pm2.
    if (cluster.isWorker && SETTINGS_VARIABLE in process.env) {
      replaceExpress(folder);
      await runWorker({ file: argv[0], args: argv.slice(1) });
      return;
    }
    const command = readCommand(argv);
    if (typeof command === 'string') process.stdout.write(command);
    else await run(command, folder);
  } catch (error) {
    fail(error);
  }
}

async function run({ file: given, args, given: options, watch }: Command, folder: string): Promise<void> {
  // Checked before the file: in `--workers ./app.js` the file is taken for the number.
  const settings = readOptions(options, '--');
  if (given === undefined) {
    const text = 'no file to run: nonstop [options] <file> (--help shows the options)';
    throw new ProductionError('ERR_NONSTOP_OPTION', text);
  }
  const file = fileOf(given);
  if (watch) return watchFiles(path.join(folder, 'bin.js'), args);
  if (settings.workers !== 0) {
    process.exit(await new Supervisor({ file: given, args }, settings, commandIn(folder)).run());
  }
  replaceExpress(folder);
  await runHere({ file, args }, settings);
}

/**
 * The file of the command, by the path at which it was started: if a link in it leads to another release later, new workers run the command of that
 * release. The one of the old release may be gone.
 */
function commandIn(folder: string): string {
  const bin = path.join(folder, 'bin.js');
  const [, started = bin] = process.argv;
  try {
    return fs.realpathSync(started) === fs.realpathSync(bin) ? started : bin;
  } catch {
    return bin;
  }
}

/** The same as `nonstop/register`. */
function replaceExpress(folder: string): void {
  createRequire(__filename)(path.join(folder, 'register.js'));
}

/** @returns the program to run, or the text to print */
function readCommand(argv: string[]): Command | string {
  // Arguments after the file are the application's.
  const end = endOfOwn(argv);
  const { values, positionals } = parse(argv.slice(0, end));
  if (values['help'] === true) return helpText();
  if (values['version'] === true) return `${packageVersion()}\n`;
  const [file] = positionals;
  const given = Object.fromEntries(
    OPTIONS.filter(({ flag }) => flag in values).map(({ name, flag }) => [name, values[flag]]),
  );
  return { file, args: argv.slice(end), given, watch: values['watch'] === true };
}

const FLAGS = {
  watch: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type Parsed = { values: Record<string, unknown>; positionals: string[] };

function parse(args: string[]): Parsed {
  const own = OPTIONS.map(({ flag, kind }) => [flag, { type: kind === 'flag' ? 'boolean' : 'string' }] as const);
  const options: ParseArgsConfig['options'] = {
    ...Object.fromEntries(own),
    port: { type: 'string', short: 'p' },
    ...FLAGS,
  };
  try {
    return parseArgs({ args: withNegativeNumbers(args), options, allowPositionals: true });
  } catch (error) {
    const [text] = messageOf(error).split('. To specify');
    throw new ProductionError('ERR_NONSTOP_OPTION', `${text} (--help shows the options)`, error);
  }
}

/** Joins `--workers -1` to `--workers=-1`: parseArgs takes -1 for an option, and its message would not name the wrong value. */
function withNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-\d/.test(arg) && before !== undefined && VALUED.has(before)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

const VALUED: ReadonlySet<string> = new Set(
  OPTIONS.filter(({ kind }) => kind !== 'flag').map(({ flag }) => `--${flag}`),
);

/** The index of the application's arguments: after the first argument that is neither an option nor an option's value. */
function endOfOwn(argv: readonly string[]): number {
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i];
    if (arg === '--') return Math.min(i + 2, argv.length);
    if (VALUED.has(arg) || arg === '-p') i++;
    else if (!arg.startsWith('-')) return i + 1;
  }
  return argv.length;
}

function helpText(): string {
  const rows = OPTIONS.map(({ flag, kind, help }) => [
    `${flag === 'port' ? '-p, ' : '    '}--${flag}${VALUES[kind]}`,
    help,
  ]);
  rows.push(['    --watch', 'restart when a file changes (node --watch)']);
  rows.push(['-h, --help', 'this text']);
  rows.push(['-v, --version', 'the version of Nonstop']);
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`).join('\n');
  return `Usage: nonstop [options] <file> [arguments of the application]

Runs an Express application on Nonstop. The file calls listen(), or exports an application, a server or a
handler (req, res), as module.exports, export default, app, server, handler or application.

${lines}

Times are milliseconds or texts such as 500ms, 20s, 2m.

Signals: SIGTERM and SIGINT drain, then end the process; a second one ends it at once. SIGHUP replaces all
workers, one after another; without workers the application gets it.

Exit statuses: 0 drained; 1 the application failed, or has no server; 2 wrong options, or a file or package is
missing; 3 cannot listen; 4 never ready, or with workers: three failed before one was ready; 5 drained, but
requests were cut or a hook failed.
`;
}

const VALUES: Readonly<Record<(typeof OPTIONS)[number]['kind'], string>> = {
  port: ' <port>',
  text: ' <address>',
  workers: ' <number|auto>',
  time: ' <time>',
  count: ' <number>',
  flag: '',
  address: ' <where>',
};

function packageVersion(): string {
  // By the package's own name, which works from the sources and from dist/.
  const name = 'nonstop';
  return (createRequire(__filename)(`${name}/package.json`) as { version: string }).version;
}
