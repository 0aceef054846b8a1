import path from 'node:path';

/** Absolute path of the repository: tests run from `.build/`, their fixtures stay in the source tree. */
export const repoRoot = path.resolve(__dirname, '../../..');

/** @param parts path segments below the repository's root */
export const inRepo = (...parts: string[]): string => path.join(repoRoot, ...parts);
