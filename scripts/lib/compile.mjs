import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { mustRunTool } from './run.mjs';

/**
 * Type-checks and compiles one project. Output is written even when types are wrong, so that later steps still speak.
 * @param {string} project path of its tsconfig.json, from the root
 * @throws {Error} with the compiler's messages
 */
export const compile = (project) => mustRunTool('typescript', ['-p', project], { bin: 'tsc' });

/** The package itself: src/ to dist/, without what an earlier build left of files that are gone. */
export async function compilePackage() {
  try {
    await compile('src/tsconfig.json');
  } finally {
    pruneDist();
  }
}

/** Removes files of dist/ that have no source any more: `files` in package.json would publish them. */
function pruneDist() {
  const dist = inRoot('dist');
  if (!existsSync(dist)) return;
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const output = path.join(entry.parentPath, entry.name);
    const [, stem, esm] = /^(.*?)(?:\.d)?\.(m?)[jt]s(?:\.map)?$/.exec(path.relative(dist, output)) ?? [];
    if (stem === undefined || !existsSync(inRoot('src', `${stem}.${esm}ts`))) rmSync(output);
  }
}
