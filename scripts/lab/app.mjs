import { readFileSync } from 'node:fs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { fromCaller } from '../lib/paths.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- app ./app.js [options]     an application of your own under its Express and under Nonstop, unchanged
  --path /                what is asked for
  --method GET
  --header 'name: value'  may be repeated
  --body-file FILE`;

export const options = /** @type {const} */ ({
  ...common,
  path: { type: 'string', default: '/' },
  method: { type: 'string', default: 'GET' },
  header: { type: 'string', multiple: true },
  'body-file': { type: 'string' },
});

/** The file of the application. */
export const words = 1;

/**
 * @param {import('./settings.mjs').Values &
 *   { path: string, method: string, header?: string[], 'body-file'?: string }} values
 * @param {string[]} positionals
 * @returns {() => Promise<number>} compares the application under both
 */
export function prepare(values, [file]) {
  if (file === undefined) throw new Error(`Name the file of an application, such as ./app.js\n\n${usage}`);
  if (!/^\/[!-~]*$/.test(values.path))
    throw new Error(`--path needs a path such as /items?page=2, got '${values.path}'`);
  if (!/^[A-Za-z-]+$/.test(values.method))
    throw new Error(`--method needs a method such as POST, got '${values.method}'`);
  if (values.node.includes(','))
    throw new Error(`--node: this command takes one major at a time, got '${values.node}'`);
  const bodyFile = values['body-file'];
  const request = {
    method: values.method.toUpperCase(),
    path: values.path,
    headers: Object.fromEntries((values.header ?? []).map(field)),
    body: bodyFile === undefined ? undefined : contentOf(fromCaller(bodyFile)),
  };
  const what = { ...settings(values), file: fromCaller(file), request };
  return async () => {
    const [node] = await nodes(values);
    const app = { ...what, node };
    return exitCode(await attended((attendance) => labModule('app/app.js').compareApp({ ...app, ...attendance })));
  };
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(`--body-file: ${file} cannot be read (${code})`, { cause: error });
  }
}

/** @param {string} line */
function field(line) {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`--header needs 'name: value', got '${line}'`);
  return [name, value];
}
