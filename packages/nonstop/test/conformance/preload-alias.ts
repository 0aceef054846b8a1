// Loaded by mocha before a package's own suite: replaces the package's entry by Nonstop.
import Module = require('node:module');
import path = require('node:path');

type Resolve = (request: string, parent?: { filename?: string | null }, ...rest: unknown[]) => string;

const root = process.env['CONFORMANCE_ROOT'] ?? '';
const ours = process.env['CONFORMANCE_ENTRY'] ?? '';
/** The names under which the suite loads the package; some examples use a deeper path. */
const entries = ['index.js', 'lib/express.js'].map((name) => path.join(root, name));
const loader = Module as unknown as { _resolveFilename: Resolve };
const original = loader._resolveFilename;

loader._resolveFilename = function (request, parent, ...rest) {
  const found = original.call(this, request, parent, ...rest);
  const asker = parent?.filename ?? '';
  // Only the suite and its examples get the other package; files in node_modules keep the original.
  const fromSuite = asker.startsWith(root + path.sep) && !asker.includes(`${path.sep}node_modules${path.sep}`);
  return fromSuite && entries.includes(found) ? ours : found;
};
