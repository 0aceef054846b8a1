// npm run lint:imports: what may import what, types included, of the sources; and what loads what, of what is compiled from them, where
// no types are left. `npm test` has it, too.

import { existsSync, readdirSync } from 'node:fs';

const src = '^packages/nonstop/src';
const compiled = '^\\.build/packages/nonstop/src';
/** @param {string} layer */
const folder = (layer, place = src) => `${place}/${layer}/`;

/** The folders of src, each with those that it may import besides itself. */
export const layers = {
  core: [],
  types: [],
  node: ['core'],
  wire: ['core', 'node'],
  routing: ['core', 'types'],
  http: ['core', 'node', 'wire'],
  http2: ['core', 'node', 'http'],
  body: ['core', 'node', 'types'],
  files: ['core', 'node', 'types'],
  express: ['core', 'routing', 'http', 'http2', 'body', 'files', 'types'],
  production: ['core', 'node', 'routing', 'http'],
  entry: ['node', 'express', 'routing', 'http', 'http2', 'body', 'files', 'types', 'production'],
};

/** The modules of Node that a folder must not load. */
const barred = {
  wire: ['net', 'tls', 'http', 'https', 'http2', 'fs', 'fs/promises'],
  routing: ['net', 'tls', 'http', 'https', 'http2', 'fs', 'fs/promises'],
  node: ['fs', 'fs/promises', 'zlib', 'child_process'],
  http: ['fs', 'fs/promises', 'zlib', 'child_process'],
  http2: ['fs', 'fs/promises', 'zlib', 'child_process'],
  body: ['net', 'tls', 'http', 'https', 'http2'],
  files: ['net', 'tls', 'http', 'https', 'http2'],
};

const layerRules = Object.entries(layers).map(([layer, others]) => ({
  name: `layer-${layer}`,
  comment: `${layer} imports ${others.join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: folder(layer) },
  to: { path: `${src}/`, pathNot: [layer, ...others].map((each) => folder(each)) },
}));

const barredRules = Object.entries(barred).map(([layer, names]) => ({
  name: `node-modules-of-${layer}`,
  comment: `${layer} loads none of ${names.join(', ')}.`,
  severity: 'error',
  from: { path: folder(layer, compiled) },
  to: { path: `^(?:node:)?(?:${names.join('|')})$` },
}));

/** What was compiled from files that are gone since. */
const left = readdirSync('.build/packages/nonstop/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.m?js$/.test(name))
  .filter((name) => !existsSync(`packages/nonstop/src/${name.replace(/\.(m?)js$/, '.$1ts')}`))
  .map((name) => `${compiled}/${name.replaceAll('.', '\\.')}$`);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    ...barredRules,
    {
      name: 'known-folders',
      comment: 'src holds the folders of the table and nothing else.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: Object.keys(layers).map((each) => folder(each)) },
      to: {},
    },
    {
      name: 'wire-without-http',
      comment: 'wire loads nothing of node:http, not by way of another folder either.',
      severity: 'error',
      from: { path: folder('wire', compiled) },
      to: { path: '^(?:node:)?(?:net|tls|http|https|http2)$', reachable: true },
    },
    {
      name: 'http-without-framework',
      comment: 'nonstop/http can be used without the framework.',
      severity: 'error',
      from: { path: `${compiled}/entry/http\\.js$` },
      to: {
        path: ['express', 'routing', 'http2', 'body', 'files'].map((layer) => folder(layer, compiled)),
        reachable: true,
      },
    },
    {
      name: 'no-circle',
      comment:
        'Files do not import each other in a circle. The interfaces that describe one framework name each other.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: folder('types') },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads to a file.',
      severity: 'error',
      from: { path: `${src}/` },
      to: { couldNotResolve: true, pathNot: '^express-serve-static-core$' },
    },
  ],
  options: {
    // TypeScript 7 offers programs no parser.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: left,
    enhancedResolveOptions: { extensions: ['.ts', '.mts', '.js'] },
  },
};
