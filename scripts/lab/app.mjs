import { requestOf } from '../../packages/lab/request-options.js';
import { positive, whole } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { fromCaller } from '../lib/paths.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- app ./app.js [options]     your own application (a file or its folder), unchanged, on its Express and on Nonstop
  --path /items           path of the request (default: up to three of its own routes)
  --method GET
  --header 'name: value'  may be repeated
  --body-file FILE
  --har FILE              requests from a browser's recording
  --rps 2000              your own load: the difference is scaled to it
  --http2                 Nonstop over HTTP/2, Express over HTTP/1.1, its only version; both over TLS. Needs h2load
  --streams 10            HTTP/2 streams at once on each connection, with fewer connections`;

export const options = /** @type {const} */ ({
  ...common,
  path: { type: 'string' },
  har: { type: 'string' },
  rps: { type: 'string' },
  http2: { type: 'boolean', default: false },
  streams: { type: 'string' },
  method: { type: 'string', default: 'GET' },
  header: { type: 'string', multiple: true },
  'body-file': { type: 'string' },
});

/** The file of the application, or its folder. */
export const words = 1;

/**
 * @param {import('./settings.mjs').Values &
 *   { path?: string, har?: string, rps?: string, http2: boolean, streams?: string, method: string, header?: string[], 'body-file'?: string }} values
 * @param {string[]} positionals
 * @returns {() => Promise<number>} compares the application under both
 */
export function prepare(values, [file]) {
  if (file === undefined)
    throw new Error(`Name the file or the folder of an application, such as ./app.js\n\n${usage}`);
  if (values.node.includes(','))
    throw new Error(`--node: this command takes one major at a time, got '${values.node}'`);
  const streams = whole('streams', values.streams);
  if (streams !== undefined && !values.http2) throw new Error('--streams needs --http2');
  const bodyFile = values['body-file'];
  const request = requestOf({ ...values, 'body-file': bodyFile === undefined ? undefined : fromCaller(bodyFile) });
  const what = {
    ...settings(values),
    file: fromCaller(file),
    request,
    har: values.har === undefined ? undefined : fromCaller(values.har),
    perSecond: positive('rps', values.rps),
    streams: values.http2 ? (streams ?? 10) : undefined,
  };
  return async () => {
    const [node] = await nodes(values);
    const app = { ...what, node };
    /** @type {import('../../packages/lab/src/app/app.js').AppRecord[]} */
    const records = await attended((attendance) => labModule('app/visit.js').compareVisit({ ...app, ...attendance }));
    return Math.max(...records.map(exitCode));
  };
}
