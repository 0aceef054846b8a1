import fs = require('node:fs');
import path = require('node:path');

/** In the published package this file is in `dist/`, in the repository in `.build/packages/lab/src/`. */
export const isPublished = path.basename(__dirname) === 'dist';

/** The repository's root; in the published package its own folder. */
export const repoRoot = isPublished ? path.dirname(__dirname) : path.resolve(__dirname, '../../../..');

export const labRoot = isPublished ? repoRoot : path.join(repoRoot, 'packages', 'lab');

/**
 * Makes a folder, and those above it that are missing. `fs.mkdirSync()` with `recursive` does not return where the system answers ENOENT for a
 * folder whose parent exists, such as below /proc (Node 20).
 *
 * @throws the error of the system
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
