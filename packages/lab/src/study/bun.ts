import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');

/** A runtime other than Node. */
export interface Runtime {
  readonly path: string;
  readonly version: string;
}

/** How to install it, for messages. */
export const bringsBun = 'bun is not installed (npm install --global bun)';

/** Bun, if it is installed. The lab does not download a hundred megabytes for two lines of a table. */
export function findBun(): Runtime | undefined {
  const name = process.platform === 'win32' ? 'bun.exe' : 'bun';
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) continue;
    try {
      return { path: file, version: execFileSync(file, ['--version'], { encoding: 'utf8' }).trim() };
    } catch {
      // npm's package without the binary that its script downloads, or one for another machine.
    }
  }
  return undefined;
}
