import { folder } from '../support/folder.js';
import { version } from '../support/subject.js';
import { parities, pipelined, type Program } from './stage.js';

const root = folder({
  'index.html': 'index',
  'a.txt': '0123456789',
  'a.html': 'html',
  'sub/index.html': 'sub',
  'sub/b.json': '{}',
  '.dot': 'dot',
  '.d/in.txt': 'in',
  'no-ext': 'x',
  'sp ace.txt': 's',
  'empty/': '',
  'index.d/index.html': 'd',
});

const OPTIONS: readonly (readonly [string, object | undefined])[] = [
  ['no options', undefined],
  ['an age', { maxAge: 5000 }],
  ['an age as text, immutable', { maxAge: '3h', immutable: true }],
  ['another index', { index: 'a.txt' }],
  ['several indexes', { index: ['none', 'index.html'] }],
  ['no index', { index: false }],
  ['extensions', { extensions: ['txt', 'html'] }],
  ['extensions and no fallthrough', { extensions: ['html'], fallthrough: false }],
  ['dotfiles allowed', { dotfiles: 'allow' }],
  ['dotfiles denied, no fallthrough', { dotfiles: 'deny', fallthrough: false }],
  ['no redirect', { redirect: false }],
  ['no fields', { etag: false, lastModified: false, cacheControl: false, acceptRanges: false }],
];

const TARGETS = [
  '/',
  '/a.txt',
  '/a',
  '/sub',
  '/sub/',
  '/sub/b.json',
  '/sub/b',
  '/sub?x=1',
  '/.dot',
  '/.d/in.txt',
  '/.d',
  '/no-ext',
  '/sp%20ace.txt',
  '/empty',
  '/empty/',
  '/index.d',
  '/index.d/',
  '/absent',
  '/absent/',
  '/..',
  '/../a.txt',
  '/sub/..%2fa.txt',
  '/sub/%2e%2e/a.txt',
  '/%5c..',
  '/%',
  '/%00',
  '//a.txt',
  '//sub',
  // Windows takes the name of a file with a separator behind it for the file, and Express 4 serves it (docs/compat/express-4.md).
  ...(version === 4 && process.platform === 'win32' ? [] : ['/a.txt/']),
  '/A.TXT',
  '/a.txt?x#y',
  '/./a.txt',
];

const CONDITIONS = [
  { Range: 'bytes=1-2' },
  { Range: 'bytes=-1' },
  { Range: 'bytes=50-' },
  { Range: 'bytes=0-0,2-2' },
  { 'If-None-Match': '*' },
  { 'If-Match': '"x"' },
  { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  { 'Cache-Control': 'no-cache', 'If-None-Match': '*' },
];

const places = ['/', '/files', '/files/', ['/one', '/two']];

const atRoot = OPTIONS.map(([name, options]): Program => ({
  name: `static with ${name}`,
  app: (app, make) => void app.use(make.static(root, options)),
  rows: pipelined([
    ...TARGETS.map((target) => [`GET ${target}`] as const),
    ...['HEAD', 'POST', 'OPTIONS', 'DELETE'].flatMap((method) =>
      ['/a.txt', '/sub', '/absent'].map((target) => [`${method} ${target}`] as const),
    ),
    ...CONDITIONS.map((fields) => ['GET /a.txt', fields] as const),
    ...CONDITIONS.slice(0, 4).map((fields) => ['HEAD /a.txt', fields] as const),
  ]),
}));

const mounted = places.map((place): Program => ({
  name: `static at ${String(place)}`,
  app: (app, make) => {
    app.use(place, make.static(root));
    app.use((req, res) => void res.end(`behind: ${req.url} ${req.baseUrl}`));
  },
  rows: pipelined(
    [
      '/files',
      '/files/',
      '/files?x',
      '/files/a.txt',
      '/files/sub',
      '/files/sub?y',
      '/files//sub',
      '/one',
      '/two/a.txt',
      '/two/sub',
      '/Files/a.txt',
      '/filesx',
      '/files/absent',
      '/',
    ].map((target) => [`GET ${target}`] as const),
  ),
}));

parities([...atRoot, ...mounted]);
