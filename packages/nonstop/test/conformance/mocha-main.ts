// Runs the files of a suite with the suite's own mocha, through its API: mocha's command does not start on every Node
// (yargs 16 of mocha 10 fails on Node 26). Started in the suite's folder. Arguments: report file, filter, folders.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path = require('node:path');

interface Mocha {
  addFile(file: string): void;
  grep(pattern: string): void;
  run(done: (failures: number) => void): Runner;
}
interface Runner {
  on(event: 'pass' | 'fail', listener: (test: { fullTitle(): string }, error?: Error) => void): void;
}
type MochaClass = new (options: object) => Mocha;

const [output, filter, ...folders] = process.argv.slice(2);
const root = process.cwd();
const SuitesMocha = createRequire(path.join(root, 'package.json'))('mocha') as MochaClass;

const environment = path.join(root, 'test', 'support', 'env.js');
if (existsSync(environment)) require(environment);

const mocha = new SuitesMocha({ reporter: 'dot' });
if (filter !== '') mocha.grep(filter);
for (const folder of folders) {
  for (const name of readdirSync(path.join(root, folder)).sort()) {
    if (name.endsWith('.js')) mocha.addFile(path.join(root, folder, name));
  }
}
// The report is written here, because the JSON reporter of Express 4's mocha cannot write to a file.
const report = { passes: [] as object[], failures: [] as object[] };
const runner = mocha.run((failures) => {
  writeFileSync(output, JSON.stringify(report));
  process.exit(Math.min(failures, 255));
});
runner.on('pass', (test) => report.passes.push({ fullTitle: test.fullTitle() }));
runner.on('fail', (test, error) =>
  report.failures.push({ fullTitle: test.fullTitle(), err: { message: error?.message } }),
);
