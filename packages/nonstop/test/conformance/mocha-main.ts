// Runs the files of a suite with the suite's own mocha, by its API: mocha's command does not start everywhere that mocha does
// (yargs 16, of mocha 10, is refused by Node 26). Started in the suite's folder. Arguments: file of the report, filter, folders.
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
// Written here: the reporter of JSON writes into no file in the mocha of Express 4.
const report = { passes: [] as object[], failures: [] as object[] };
const runner = mocha.run((failures) => {
  writeFileSync(output, JSON.stringify(report));
  process.exit(Math.min(failures, 255));
});
runner.on('pass', (test) => report.passes.push({ fullTitle: test.fullTitle() }));
runner.on('fail', (test, error) =>
  report.failures.push({ fullTitle: test.fullTitle(), err: { message: error?.message } }),
);
