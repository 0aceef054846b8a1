// npm run lab: the board of budgets, the published studies, curves of growth, your own application on Express and
// Nonstop, and a page with charts of the measurements.
import * as app from './lab/app.mjs';
import * as board from './lab/board.mjs';
import * as crud from './lab/crud.mjs';
import * as frontier from './lab/frontier.mjs';
import * as report from './lab/report.mjs';
import * as scale from './lab/scale.mjs';
import * as settings from './lab/settings.mjs';
import * as study from './lab/study.mjs';
import * as wayIn from './lab/way-in.mjs';
import * as workers from './lab/workers.mjs';
import { readCommandLine } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

/**
 * A command. `prepare` checks the command line before anything is built, and throws if it is wrong. It returns the function
 * that does the work and resolves to an exit code.
 * @typedef {{
 *   usage: string,
 *   options: import('./lib/command-line.mjs').Options,
 *   words?: number,
 *   prepare: (values: any, words: string[]) => () => Promise<number>,
 * }} Command
 */

/** @type {Record<string, Command>} */
const commands = { board, study, scale, frontier, app, workers, 'way-in': wayIn, crud, report };

/** The usage of measuring commands, followed by their common options. @param {Command[]} parts */
const usageOf = (parts) => {
  const measuring = parts.filter(({ options }) => 'rounds' in options);
  const others = parts.filter((part) => !measuring.includes(part));
  const ordered = measuring.length > 0 ? [...measuring, settings, ...others] : others;
  return ordered.map((part) => part.usage).join('\n\n');
};

const usage = usageOf(Object.values(commands));

await main(async () => {
  const [name = '--help', ...args] = process.argv.slice(2);
  if (name === '--help' || name === 'help') return console.log(usage);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Error(`Unknown command: ${name}\n\n${usage}`);
  const { values, positionals } = readCommandLine(usageOf([command]), command.options, {
    args,
    words: command.words,
  });
  const work = command.prepare(values, positionals);
  await setup(console.log);
  await compilePackage();
  await compile('packages/lab/tsconfig.json');
  process.exitCode = await work();
});
