import path = require('node:path');

/** Compiled, this file stands in `.build/bench/lab/`. */
export const repoRoot = path.resolve(__dirname, '../../..');

export const benchRoot = path.join(repoRoot, 'bench');
