/**
 * The test runners of other projects: how to start each with a report, and how to read the report.
 * @typedef {object} Reader
 * @property {string} [program] its package; none for node itself
 * @property {(file: string) => string[]} args that make it write its report to a file, or to its output
 * @property {(report: string) => string[]} read returns the titles of the passed tests
 * @property {(resolver: string) => string[]} [alias] arguments that replace `express` by Nonstop, for runners that load modules themselves
 */

/** @type {Record<'mocha' | 'jest' | 'vitest' | 'node' | 'tape' | 'nodeunit' | 'lab', Reader>} */
export const readers = {
  mocha: {
    program: 'mocha',
    // A busy machine needs more than mocha's two seconds.
    args: (file) => ['--reporter', 'json', '--reporter-options', `output=${file}`, '--timeout', '30000'],
    read: (report) => {
      // Versions without an output file print the report, with the tests' output before and after it.
      const [text] = /^\{\n  "stats"[^]*?^\}/m.exec(report) ?? [];
      if (text === undefined) return [];
      return JSON.parse(text).passes.map((/** @type {{ fullTitle: string }} */ { fullTitle }) => fullTitle);
    },
  },
  jest: {
    program: 'jest',
    args: (file) => ['--json', `--outputFile=${file}`],
    read: readJest,
    // jest resolves modules itself and ignores node's hooks.
    alias: (resolver) => [`--resolver=${resolver}`],
  },
  vitest: {
    program: 'vitest',
    args: (file) => ['--reporter=json', `--outputFile=${file}`],
    read: readJest,
  },
  node: {
    args: (file) => ['--test-reporter=tap', `--test-reporter-destination=${file}`],
    read: readTap,
  },
  tape: { program: 'tape', args: () => [], read: readTap },
  nodeunit: { program: 'nodeunit', args: () => ['--reporter', 'tap'], read: readTap },
  lab: {
    program: '@hapi/lab',
    args: (file) => ['--assert', '@hapi/code', '--reporter', 'tap', '--output', file],
    read: readTap,
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

/** @param {string} report in the Test Anything Protocol, with subtests @returns {string[]} without tests marked SKIP or TODO */
function readTap(report) {
  return [...report.matchAll(/^ *ok \d+ (?!.* # (?:SKIP|TODO)\b)(?:- )?(.*?)(?: # .*)?$/gim)].map(([, title]) => title);
}
