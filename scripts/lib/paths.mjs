import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing separator. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {...string} parts path segments below the repository's root */
export const inRoot = (...parts) => path.join(root, ...parts);

/**
 * A file relative to the caller's folder: npm runs scripts in the repository's root, and passes the caller's folder.
 * @param {string} file
 */
export const fromCaller = (file) => path.resolve(process.env['INIT_CWD'] ?? '.', file);

/** @param {...string} parts path segments below the package that is published */
export const inPackage = (...parts) => inRoot('packages/nonstop', ...parts);
