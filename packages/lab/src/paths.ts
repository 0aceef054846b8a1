import path = require('node:path');

/** In the published package this file is in `dist/`, in the repository in `.build/packages/lab/src/`. */
export const isPublished = path.basename(__dirname) === 'dist';

/** The repository's root; in the published package its own folder. */
export const repoRoot = isPublished ? path.dirname(__dirname) : path.resolve(__dirname, '../../../..');

export const labRoot = isPublished ? repoRoot : path.join(repoRoot, 'packages', 'lab');
