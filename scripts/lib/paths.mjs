import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing separator. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {...string} parts path segments below the repository's root */
export const inRoot = (...parts) => path.join(root, ...parts);
