import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');

/** Another program than Node that runs servers. */
export interface Runtime {
  readonly path: string;
  readonly version: string;
}

/** What brings it, for people. */
export const bringsBun = 'bun is not installed (npm install --global bun)';

/** Bun, where it is installed: nobody has to fetch a hundred megabytes for two lines of a table. */
export function findBun(): Runtime | undefined {
  const name = process.platform === 'win32' ? 'bun.exe' : 'bun';
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) continue;
    try {
      return { path: file, version: execFileSync(file, ['--version'], { encoding: 'utf8' }).trim() };
    } catch {
      // npm's package without what its script would have fetched, or one for another machine.
    }
  }
  return undefined;
}
