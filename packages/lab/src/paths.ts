import path = require('node:path');

/** Compiled, this file stands in `.build/packages/lab/src/`. */
export const repoRoot = path.resolve(__dirname, '../../../..');

export const labRoot = path.join(repoRoot, 'packages', 'lab');
