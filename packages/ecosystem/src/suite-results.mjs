import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The test runners of other projects: how to start each with a report, and how to read the report.
 * @typedef {object} Reader
 * @property {string} [program] its package; none for node itself
 * @property {(file: string) => string[]} args that make it write its report to a file
 * @property {(report: string) => string[]} read returns the titles of the passed tests
 * @property {(folder: string, entry: string) => string[]} [alias] arguments that replace `express` by Nonstop, for runners that load modules themselves
 */

/** @type {Record<'mocha' | 'jest' | 'vitest' | 'node', Reader>} */
export const readers = {
  mocha: {
    program: 'mocha',
    // A busy machine needs more than mocha's two seconds.
    args: (file) => ['--reporter', 'json', '--reporter-option', `output=${file}`, '--timeout', '30000'],
    read: (report) => {
      // Versions without an output file print the report after the tests' output.
      const text = report.startsWith('{') ? report : report.slice(report.lastIndexOf('\n{\n  "stats"') + 1);
      if (!text.startsWith('{')) return [];
      return JSON.parse(text).passes.map((/** @type {{ fullTitle: string }} */ { fullTitle }) => fullTitle);
    },
  },
  jest: {
    program: 'jest',
    args: (file) => ['--json', `--outputFile=${file}`],
    read: readJest,
    // jest resolves modules itself and ignores node's hooks.
    alias: (folder, entry) => {
      if (!existsSync(path.join(folder, 'jest.config.json')))
        return [`--moduleNameMapper=${JSON.stringify({ '^express$': entry })}`];
      const config = path.join(folder, 'jest.nonstop.cjs');
      const own = "require('./jest.config.json')";
      const mapper = `{ '^express$': ${JSON.stringify(entry)}, ...own.moduleNameMapper }`;
      writeFileSync(config, `const own = ${own};\nmodule.exports = { ...own, moduleNameMapper: ${mapper} };\n`);
      return ['--config', config];
    },
  },
  vitest: {
    program: 'vitest',
    args: (file) => ['--reporter=json', `--outputFile=${file}`],
    read: readJest,
  },
  node: {
    args: (file) => ['--test-reporter=tap', `--test-reporter-destination=${file}`],
    read: (report) => [...report.matchAll(/^ *ok \d+ - (.*?)(?: # .*)?$/gm)].map(([, title]) => title),
  },
};

/** @param {string} report as jest writes it, and vitest @returns {string[]} */
function readJest(report) {
  if (!report.startsWith('{')) return [];
  /** @type {{ testResults: { assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(report);
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
  );
}
