import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inPackage, inRepo } from '../support/paths.js';

const run = promisify(execFile);

interface Runtimes {
  readonly onBoth: string;
  readonly runtimes: Readonly<Record<string, { readonly args: readonly string[] }>>;
  runtimeBinary(name: string, folder: string): Promise<string>;
}

const script = async <T>(file: string): Promise<T> =>
  (await import(pathToFileURL(inRepo('packages', 'ecosystem', 'ways-in', file)).href)) as T;

/** Below the repository, so that the program finds its Express and its Nonstop. */
const home = inRepo('.build', 'runtimes');
const skip =
  process.env['CI'] === 'true' || process.env['NONSTOP_RUNTIMES'] === '1'
    ? false
    : 'NONSTOP_RUNTIMES=1 runs it: the binaries of Bun and Deno are 200 MB; CI has them';

for (const name of ['Bun', 'Deno']) {
  test(`${name} gives Express's answers with its own server, and names the reason`, { skip }, async (t) => {
    assert.ok(fs.existsSync(inPackage('dist/entry/index.js')), 'dist/ is not built: npm run build');
    const { onBoth, runtimes, runtimeBinary } = await script<Runtimes>('runtimes.mjs');
    const { right } = await script<{ right: string }>('projects.mjs');
    const folder = path.join(home, name);
    const binary = await runtimeBinary(name, folder).catch((error: Error) => error);
    if (binary instanceof Error) return t.skip(binary.message);
    fs.writeFileSync(path.join(folder, 'app.cjs'), onBoth);
    const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', DEBUG: 'nonstop' };
    const { stdout, stderr } = await run(binary, [...runtimes[name].args, 'app.cjs'], {
      cwd: folder,
      env,
      timeout: 60_000,
    });
    assert.equal(stdout.trim(), right);
    assert.match(stderr, /other-runtime|its own/);
  });
}
