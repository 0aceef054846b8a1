// Runs the files of a suite with the suite's own mocha, by its API: mocha's command does not start everywhere that mocha does
// (yargs 16, of mocha 10, is refused by Node 26). Started in the suite's folder. Arguments: file of the report, filter, folders.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path = require('node:path');

interface Mocha {
  addFile(file: string): void;
  grep(pattern: string): void;
  run(done: (failures: number) => void): void;
}
type MochaClass = new (options: object) => Mocha;

const [output, filter, ...folders] = process.argv.slice(2);
const root = process.cwd();
const SuitesMocha = createRequire(path.join(root, 'package.json'))('mocha') as MochaClass;

const environment = path.join(root, 'test', 'support', 'env.js');
if (existsSync(environment)) require(environment);

const mocha = new SuitesMocha({ reporter: 'json', reporterOption: { output } });
if (filter !== '') mocha.grep(filter);
for (const folder of folders) {
  for (const name of readdirSync(path.join(root, folder)).sort()) {
    if (name.endsWith('.js')) mocha.addFile(path.join(root, folder, name));
  }
}
mocha.run((failures) => process.exit(Math.min(failures, 255)));
