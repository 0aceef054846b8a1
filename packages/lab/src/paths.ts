import path = require('node:path');

/** Published, this file stands in `dist/` of the package; compiled in the repository, in `.build/packages/lab/src/`. */
export const isPublished = path.basename(__dirname) === 'dist';

/** The repository's; the package's own folder where that is published, which needs no repository. */
export const repoRoot = isPublished ? path.dirname(__dirname) : path.resolve(__dirname, '../../../..');

export const labRoot = isPublished ? repoRoot : path.join(repoRoot, 'packages', 'lab');
