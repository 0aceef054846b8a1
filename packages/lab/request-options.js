'use strict';

// Both commands that measure an application load this file: `npx nonstop-lab`, and `npm run lab -- app` before anything is compiled. So it is
// no TypeScript.
const fs = require('node:fs');

/**
 * @typedef {object} RequestOptions
 * @property {string} [path]
 * @property {string} method
 * @property {readonly string[]} [header]
 * @property {string} [body-file]
 * @property {string} [har]
 */

/**
 * The request that the options of a command line name.
 *
 * @param {RequestOptions} options
 * @returns {{ method: string, path: string, headers: Record<string, string>, body: string | undefined } | undefined} undefined without an
 *   option for a request
 * @throws {Error} in one line
 */
function requestOf({ path, method, header = [], 'body-file': file, har }) {
  if (path !== undefined && !/^\/[!-~]*$/.test(path))
    throw new Error(`--path needs a path such as /items?page=2, got '${path}'`);
  if (!/^[A-Za-z-]+$/.test(method)) throw new Error(`--method needs a method such as POST, got '${method}'`);
  const given = [
    path !== undefined && '--path',
    method !== 'GET' && '--method',
    header.length > 0 && '--header',
    file !== undefined && '--body-file',
  ].filter((name) => name !== false);
  if (given.length === 0) return undefined;
  if (har !== undefined)
    throw new Error(`--har ${har} already names the requests: leave out ${given.join(' and ')}, or --har`);
  return {
    method: method.toUpperCase(),
    path: path ?? '/',
    headers: Object.fromEntries(header.map(field)),
    body: file === undefined ? undefined : content(file),
  };
}

/** @param {string} line */
function field(line) {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`--header needs 'name: value', got '${line}'`);
  return [name, value];
}

/** @param {string} file */
function content(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(`--body-file: ${file} cannot be read (${code})`, { cause: error });
  }
}

module.exports = { requestOf };
