import { MODIFIED } from '../support/folder.js';

// What random programs do with files and views. `FOLDER` is a folder of FILES and `engine` a view engine; both are given to a program.

/** Contents by path, below `FOLDER`. */
export const FILES: Readonly<Record<string, string>> = {
  'digits.txt': '0123456789',
  'page.html': '<p>page</p>\n',
  'data.json': '{"a":1}',
  'x.json': '[]',
  'empty.css': '',
  none: 'none',
  'big.bin': 'b'.repeat(70_000),
  '.dot': 'dot',
  'a/index.html': 'index of a',
  'a/b': 'b of a',
  'sub/index.html': 'index',
  'sub/a.txt': 'a of sub',
  'views/page.tpl': '',
  'views/other.md': '',
  'views/throws.tpl': '',
  'views/fails.tpl': '',
  'views/later.tpl': '',
  'views/sub/index.tpl': '',
  'only.tpl': '',
};

const TAG_OF_DIGITS = `W/"a-${MODIFIED.getTime().toString(16)}"`;

/** In place of an answer. */
export const FILE_ENDS: readonly string[] = [
  "res.sendFile(FOLDER + '/digits.txt')",
  "res.sendFile(FOLDER + '/digits.txt')",
  "res.sendFile('page.html', { root: FOLDER })",
  'res.sendFile(req.path, { root: FOLDER })',
  'res.sendFile(req.path, { root: FOLDER })',
  "res.sendFile(req.path, { root: FOLDER, dotfiles: 'allow', maxAge: '1d', immutable: true })",
  'res.sendFile(req.path, { root: FOLDER }, (err) => err && next(err))',
  'res.sendFile(req.path, { root: FOLDER }, () => res.headersSent || next())',
  'res.sendFile(FOLDER + req.path, { etag: false, lastModified: false }, (err) => res.headersSent || tell(req, res, err))',
  "res.sendFile('big.bin', { root: FOLDER, headers: { 'X-File': '1', 'Cache-Control': 'private' } })",
  "res.sendFile('digits.txt', { root: FOLDER, start: 2, end: 5 })",
  "res.sendFile('digits.txt', { root: FOLDER, acceptRanges: false, cacheControl: false })",
  "res.sendFile('empty.css', { root: FOLDER })",
  "res.sendFile('sub', { root: FOLDER })",
  "res.sendFile('absent.txt', { root: FOLDER })",
  "res.sendFile('digits.txt')",
  "res.status(404).sendFile('page.html', { root: FOLDER })",
  "res.type('text/x-mine').sendFile('page.html', { root: FOLDER })",
  "res.attachment('x.json').sendFile('digits.txt', { root: FOLDER })",
  "res.download(FOLDER + '/data.json')",
  "res.download(FOLDER + '/data.json', 'saved \"as\".json')",
  "res.download('data.json', { root: FOLDER })",
  "res.download(FOLDER + '/absent', (err) => next(err))",
  "fs.createReadStream(FOLDER + '/digits.txt').pipe(res)",
  "fs.createReadStream(FOLDER + '/big.bin').pipe(res.status(201).type('bin'))",
  'express.static(FOLDER)(req, res, next)',
  'express.static(FOLDER, { index: false, redirect: false })(req, res, next)',
  "res.render('page', { title: req.path })",
  "res.render('page')",
  "res.render('other.md', { cache: true })",
  "res.render('later', { a: 1 }, (err, text) => (err ? next(err) : res.type('text').send(text)))",
  "res.render('sub', res.locals)",
  "res.render('only')",
  "res.render('absent')",
  "res.render('throws')",
  "res.render('fails')",
  "req.app.render('page', { a: 1 }, (err, text) => (err ? next(err) : res.send(text)))",
  "req.app.render('absent', (err, text) => (err ? next(err) : res.send(text)))",
];

/** In front of an answer. */
export const BEFORE_FILES: readonly string[] = [
  "req.url = '/digits.txt'",
  "req.url = '/sub'",
  "req.url = '/sub/?x'",
  "req.headers.range = 'bytes=2-4'",
  "req.headers['if-none-match'] = '*'",
  'delete req.headers.range',
  "res.set('ETag', '\"mine\"')",
  "res.set('Cache-Control', 'no-store')",
  "res.set('Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT')",
  "res.set('Accept-Ranges', 'none')",
  "res.set('Content-Encoding', 'identity')",
  "res.type('html')",
  'res.status(404)',
  "res.locals.title = 'of the answer'",
  "res.locals = { title: 'replaced' }",
  "req.app.locals.title = 'of the application'",
  "req.app.enable('view cache')",
  "req.app.set('views', FOLDER)",
  "req.app.disable('etag')",
];

/** Methods that a program may wrap. */
export const METHODS_OF_FILES: readonly string[] = ['sendFile', 'download', 'render', 'attachment', 'pipe'];

/** Middleware, by its source. */
export const STATIC: readonly string[] = [
  'express.static(FOLDER)',
  'express.static(FOLDER)',
  'express.static(FOLDER)',
  "express.static(FOLDER, { maxAge: '1h', immutable: true })",
  'express.static(FOLDER, { index: false, redirect: false })',
  "express.static(FOLDER, { index: ['none', 'index.html'], extensions: ['html', 'txt'] })",
  "express.static(FOLDER, { fallthrough: false, dotfiles: 'deny' })",
  "express.static(FOLDER, { dotfiles: 'allow', etag: false, lastModified: false })",
  "express.static(FOLDER, { setHeaders: (res, file, stat) => res.set('X-File', file.slice(FOLDER.length) + ' ' + stat.size) })",
  "express.static(FOLDER + '/sub', { acceptRanges: false, cacheControl: false })",
];

/** Settings of an application that renders. */
export const VIEW_SETTINGS: readonly (readonly [name: string, source: string])[] = [
  ['view cache', 'true'],
  ['views', 'FOLDER'],
  ['views', "[FOLDER, FOLDER + '/views']"],
  ['view engine', "'.tpl'"],
  ['view engine', "'md'"],
  ['view engine', 'undefined'],
];

export const FILE_TARGETS: readonly string[] = [
  '/digits.txt',
  '/digits.txt',
  '/page.html',
  '/page',
  '/data.json',
  '/big.bin',
  '/empty.css',
  '/.dot',
  '/sub',
  '/sub/',
  '/sub/a.txt',
  '/a/b',
  '/absent.txt',
  '/none/',
  '/..%2fetc',
  '/%00',
];

export const FILE_FIELDS: readonly (readonly [string, string])[] = [
  ['Range', 'bytes=0-3'],
  ['Range', 'bytes=-3'],
  ['Range', 'bytes=99999999-'],
  ['Range', 'bytes=0-1,3-4'],
  ['If-Range', TAG_OF_DIGITS],
  ['If-Range', MODIFIED.toUTCString()],
  ['If-None-Match', TAG_OF_DIGITS],
  ['If-Match', '"other"'],
  ['If-Modified-Since', MODIFIED.toUTCString()],
  ['If-Unmodified-Since', 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ['Cache-Control', 'no-cache'],
];

/** For the head of a program. */
export const FILE_HELPERS = `\
function engine(file, options, done) {
  const { settings, ...rest } = options;
  if (file.includes('throws')) throw fail('the view throws');
  if (file.includes('fails')) return done(fail('the view fails', 503));
  const text = file.slice(FOLDER.length) + ' ' + JSON.stringify(rest) + ' ' + typeof settings;
  if (file.includes('later')) setImmediate(done, null, text);
  else done(null, text);
}
`;
