import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { after } from 'node:test';

/** The modification time of every file, so that tags and dates are the same in each run. */
export const MODIFIED = new Date('2026-01-02T03:04:05Z');

/**
 * Creates a folder of files, which is removed after the tests of the calling file.
 *
 * @param files contents by path; a path with a slash at its end is an empty folder
 * @returns the absolute path of the folder
 */
export function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = createFolder(files);
  after(() => removeFolder(root));
  return root;
}

/** The same outside tests: to be removed with {@link removeFolder}. */
export function createFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'nonstop-'));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    fs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (name.endsWith('/')) continue;
    fs.writeFileSync(file, content);
    fs.utimesSync(file, MODIFIED, MODIFIED);
  }
  return root;
}

export const removeFolder = (root: string): void => fs.rmSync(root, { recursive: true, force: true });
