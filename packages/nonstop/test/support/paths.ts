import path from 'node:path';

/** Absolute path of the repository. Tests run from `.build/`, which mirrors its folders; their fixtures stay in the source tree. */
export const repoRoot = path.resolve(__dirname, '../../../../..');

/** @param parts path segments below the repository's root */
export const inRepo = (...parts: string[]): string => path.join(repoRoot, ...parts);

/** @param parts path segments below `packages/nonstop` */
export const inPackage = (...parts: string[]): string => inRepo('packages/nonstop', ...parts);

/** @param parts path segments of a compiled file, relative to `packages/nonstop`: `compiled('src/node/callback-scope.js')` */
export const compiled = (...parts: string[]): string => inRepo('.build/packages/nonstop', ...parts);
