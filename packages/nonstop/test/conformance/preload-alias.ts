// Loaded by mocha before a suite that tests the package it sits in: that package's entry is Nonstop's then.
import Module = require('node:module');
import path = require('node:path');

type Resolve = (request: string, parent?: { filename?: string | null }, ...rest: unknown[]) => string;

const root = process.env['CONFORMANCE_ROOT'] ?? '';
const ours = process.env['CONFORMANCE_ENTRY'] ?? '';
/** What programs of the suite ask for: some examples by its deeper path. */
const entries = ['index.js', 'lib/express.js'].map((name) => path.join(root, name));
const loader = Module as unknown as { _resolveFilename: Resolve };
const original = loader._resolveFilename;

loader._resolveFilename = function (request, parent, ...rest) {
  const found = original.call(this, request, parent, ...rest);
  const asker = parent?.filename ?? '';
  // Only the suite and its examples are shown the other package: what lies in node_modules keeps what it asks for.
  const fromSuite = asker.startsWith(root + path.sep) && !asker.includes(`${path.sep}node_modules${path.sep}`);
  return fromSuite && entries.includes(found) ? ours : found;
};
