'use strict';

// Both commands that measure an application load this file: `npx nonstop-lab`, and `npm run lab -- app` before anything is compiled. So it is
// no TypeScript.
const { isUtf8 } = require('node:buffer');
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
  // Generators wait for the body that the length of such an answer announces.
  if (method.toUpperCase() === 'HEAD') throw new Error('--method HEAD cannot be measured: take GET');
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
    headers: fieldsOf(header),
    body: file === undefined ? undefined : content(file),
  };
}

/** @param {readonly string[]} lines */
function fieldsOf(lines) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [name, value] of lines.map(field)) {
    if (Object.keys(fields).some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new Error(`--header has ${name} twice: each name is sent once`);
    fields[name] = value;
  }
  return fields;
}

/** @param {string} line */
function field(line) {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`--header needs 'name: value', got '${line}'`);
  return [name, value];
}

/** @param {string} file */
function content(file) {
  let octets;
  try {
    octets = fs.readFileSync(file);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(`--body-file: ${file} cannot be read (${code})`, { cause: error });
  }
  // As text it would be sent with other octets.
  if (!isUtf8(octets)) throw new Error(`--body-file: ${file} is not text in UTF-8`);
  return octets.toString();
}

module.exports = { requestOf };
