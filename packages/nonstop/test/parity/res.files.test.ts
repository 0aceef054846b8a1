import type { ErrorRequestHandler } from 'express';
import fs from 'node:fs';
import path from 'node:path';
import { described } from '../support/beside-express.js';
import { folder } from '../support/folder.js';
import { handlers, parities, request, type HandlerRow, type Loose, type Program, type Turn } from './stage.js';

const root = folder({
  'page.html': '<p>page</p>\n',
  'data.json': '{"a":1}',
  'digits.txt': '0123456789',
  'odd.nobody-knows': 'odd',
  none: 'none',
  'sp ace é.txt': 'spaced',
  '.dot': 'dot',
  '.well-known/file.txt': 'known',
  'sub/index.html': 'index',
  'big.bin': Buffer.alloc(70_000, 'b'),
  'empty.css': '',
});

const at = (name: string): string => path.join(root, name);

/** Calls a method of the response; its callback notes its arguments and ends an unfinished answer. */
const using =
  (method: string, args: readonly unknown[], called = true) =>
  ({ res, note }: Turn): void => {
    const back = (...given: unknown[]): void => {
      note([
        ...given.map((error) => (error === undefined ? 'done' : described(error))),
        res.headersSent,
        res.writableEnded,
      ]);
      if (!res.writableEnded) res.end('by the callback');
    };
    res[method](...args, ...(called ? [back] : []));
  };

/** Options, what a program changes in them behind the call, and the file. */
const CHANGES: readonly (readonly [before: object, later: object, name: string])[] = [
  [{ maxAge: 60_000 }, { maxAge: 0 }, 'digits.txt'],
  [{ maxage: '1d' }, { maxage: '2d', immutable: true }, 'digits.txt'],
  [{ maxAge: 60_000, immutable: true }, { immutable: false }, 'digits.txt'],
  [{}, { cacheControl: false, acceptRanges: false, lastModified: false, etag: false }, 'digits.txt'],
  [{ root }, { root: path.join(root, 'sub') }, 'digits.txt'],
  // The file is below the other root alone.
  [{ root }, { root: path.join(root, 'sub') }, 'index.html'],
  [{ root, dotfiles: 'allow' }, { dotfiles: 'deny' }, '.dot'],
  [{ root }, { dotfiles: 'allow' }, '.dot'],
  [{ root }, { extensions: ['html'] }, 'page'],
  [{ root }, { index: false }, 'sub'],
  [{ headers: { 'X-One': '1' } }, { headers: { 'X-One': '2' } }, 'digits.txt'],
  [{}, { headers: { 'X-One': '2' } }, 'digits.txt'],
  [{ start: 3 }, { start: 5, end: 6 }, 'digits.txt'],
  [{}, { start: 5 }, 'digits.txt'],
];

const changing = (method: string, called: boolean): HandlerRow[] =>
  CHANGES.map(([before, later, name], i): HandlerRow => [
    `${i}: ${Object.keys(later).join(', ')} of ${name}`,
    (turn) => {
      const options = { ...before };
      const given = method === 'download' ? ['saved.txt', options] : [options];
      using(method, ['root' in before ? name : at(name), ...given], called)(turn);
      Object.assign(options, later);
    },
  ]);

/** Options that `send` refuses. */
const WRONG: readonly object[] = [
  { dotfiles: true },
  { extensions: [1] },
  { index: [1] },
  { maxAge: 'x'.repeat(200) },
  { dotfiles: 'some' },
];

const NAMES = [
  'page.html',
  'data.json',
  'digits.txt',
  'odd.nobody-knows',
  'none',
  'sp ace é.txt',
  '.dot',
  '.well-known/file.txt',
  'sub',
  'sub/',
  'sub/index.html',
  'empty.css',
  'absent.txt',
  'page.html/x',
  'a/../page.html',
  '../page.html',
  './page.html',
  '%70age.html',
  '%zz',
  'x\0y',
  'page.html?x',
  '/page.html',
  '//page.html',
];

const OPTIONS: readonly (readonly [string, object])[] = [
  ['none', {}],
  ['maxAge', { maxAge: 90_000 }],
  ['maxAge as text', { maxAge: '2 days' }],
  ['maxAge that is odd', { maxAge: 'odd' }],
  ['immutable', { maxAge: '1y', immutable: true }],
  ['no cacheControl', { cacheControl: false, maxAge: 5 }],
  ['no lastModified', { lastModified: false }],
  ['no etag', { etag: false }],
  ['no acceptRanges', { acceptRanges: false }],
  ['maxAge of nothing', { maxAge: '' }],
  ['maxAge that is no text for an age', { maxAge: '1 day and a half' }],
  ['maxAge below nothing', { maxAge: -1 }],
  ['maxAge beyond a year', { maxAge: '9y' }],
  ['maxAge with a fraction', { maxAge: '1.5s', immutable: 1 }],
  ['maxAge that throws', { maxAge: 'x'.repeat(200) }],
  ['both ages', { maxAge: 0, maxage: '10s' }],
  ['nothing of what is on by default', { etag: 0, lastModified: null, cacheControl: '', acceptRanges: undefined }],
  ['no headers', { headers: null }],
  ['headers that must not be set', { headers: { 'Content-Length': '3' } }],
  ['headers', { headers: { 'X-One': '1', 'Content-Type': 'text/x-mine', ETag: '"mine"' } }],
  ['a name outside ASCII', { headers: { 'content-disposition': 'attachment; filename="\u00fc.txt"' } }],
  ['headers of several values', { headers: { 'X-One': ['a', 'b'], 'Set-Cookie': ['a=1', 'b=2'] } }],
  ['dotfiles allowed', { dotfiles: 'allow' }],
  ['dotfiles denied', { dotfiles: 'deny' }],
  ['dotfiles ignored', { dotfiles: 'ignore' }],
  ['extensions', { extensions: ['html', 'txt'] }],
  ['an index', { index: ['index.html'] }],
  ['a start', { start: 3 }],
  ['a start and an end', { start: 3, end: 5 }],
  ['an unknown option', { odd: true }],
];

const CONDITIONS: readonly Record<string, string>[] = [
  { Range: 'bytes=0-3' },
  { Range: 'bytes=-3' },
  { Range: 'bytes=5-' },
  { Range: 'bytes=5-2' },
  { Range: 'bytes=99-' },
  { Range: 'bytes=0-1,3-4' },
  { Range: 'items=0-1' },
  { Range: 'bytes=0-3', 'If-Range': 'W/"x"' },
  { Range: 'bytes=0-3', 'If-Range': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { Range: 'bytes=0-3', 'If-Range': 'Thu, 01 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*' },
  { 'If-None-Match': '"x"' },
  { 'If-Match': '*' },
  { 'If-Match': '"x"' },
  { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  { 'If-Unmodified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*', 'Cache-Control': 'no-cache' },
];

const ATTACHMENTS: unknown[] = [
  undefined,
  '',
  'a.txt',
  'dir/a.png',
  'no extension',
  'a"b.txt',
  'é.txt',
  '日本.pdf',
  'a\nb',
  '%41.txt',
  'a;b=c',
  '€ rates.txt',
  'x'.repeat(300),
  'a\\b.txt',
  '.dot',
  'a.JSON',
  null,
  7,
  {},
  ['a.txt'],
];

const conditional = (method: string, name: string, called = true): HandlerRow[] =>
  CONDITIONS.flatMap((fields) =>
    ['GET', 'HEAD'].map((verb): HandlerRow => [
      `${verb} ${JSON.stringify(fields)}`,
      using(method, [at(name)], called),
      request(`${verb} /`, fields),
    ]),
  );

/** States of a response before the call. */
const BEFORE: Record<string, (turn: Turn) => void> = {
  'a type': ({ res }) => void res.type('text/x-mine'),
  'each field': ({ res }) => {
    for (const name of ['Accept-Ranges', 'Cache-Control', 'Last-Modified', 'ETag']) res.set(name, 'mine');
  },
  'a status': ({ res }) => void res.status(404),
  'a length': ({ res }) => void res.set('Content-Length', '3'),
  'a name outside ASCII': ({ res }) => void res.set('Content-Disposition', 'attachment; filename="\u00e9.txt"'),
  'a name outside ASCII in a list': ({ res }) =>
    void res.setHeader('Content-Disposition', ['inline; filename="\u00e9"']),
  'a wrapped end': ({ res }) => {
    const end = res.end.bind(res) as (...args: unknown[]) => unknown;
    Object.assign(res, { end: (...args: unknown[]) => end(...args) });
  },
  'a wrapped write': ({ res, note }) => {
    const write = res.write.bind(res) as (...args: unknown[]) => boolean;
    Object.assign(res, { write: (...args: unknown[]) => (note(['write', String(args[0])]), write(...args)) });
  },
  'a listener for pipes': ({ res, note }) => void res.on('pipe', () => note('piped')),
  'a listener for its end': ({ res, note }) => void res.on('finish', () => note('finished')),
};

/** The same for states whose error breaks the connection: the number of other answers sent by then would be chance. */
const TOO_LATE: typeof BEFORE = {
  'an end': ({ res }) => void res.end('before'),
  'a head': ({ res }) => void res.writeHead(200),
};

/** Looks at files again and again, so that what was begun before is over. */
async function lookedOften(): Promise<void> {
  for (let i = 0; i < 20; i++) await fs.promises.stat(at('none'));
}

type Stat = (...args: unknown[]) => void;

/** Calls `look`, whose look at a file comes back some turns behind the end of `res`. Without this it is chance which of the two is first. */
function lookingLate(res: Turn['res'], look: () => void): void {
  const system = fs as unknown as { stat: Stat };
  const { stat } = system;
  const turns = (left: number, then: () => void): void =>
    void setImmediate(left > 1 ? () => turns(left - 1, then) : then);
  system.stat = (...args) => {
    const done = args.pop() as Stat;
    stat.call(fs, ...args, (...result: unknown[]) => {
      if (res.writableFinished) turns(4, () => done(...result));
      else res.once('finish', () => turns(4, () => done(...result)));
    });
  };
  try {
    look();
  } finally {
    system.stat = stat;
  }
}

// Something else is answered before the file is found: an error page, mostly. The error of the transfer is no longer passed on then, because a
// handler of errors closes the connection of a response that was sent.
const ANSWERS: Readonly<Record<string, (turn: Turn) => unknown>> = {
  'an error that is thrown': () => {
    throw new Error('thrown');
  },
  'an error that is passed on': ({ next }) => next(new Error('passed on')),
  'res.send()': ({ res }) => res.status(503).send('sent'),
  'res.end() in a tick': ({ res }) => process.nextTick(() => res.end('ended')),
  'res.redirect()': ({ res }) => res.redirect('/elsewhere'),
};

const CALLED = [true, false];
const withCallback = (called: boolean): string => `${called ? 'with' : 'without'} a callback`;

const answeringBefore = (name: string, called: boolean): Program => ({
  name: `res.sendFile of ${name} ${withCallback(called)}, and another answer`,
  pages: true,
  app: (app, _make, note) => {
    app.get('/next', async (_req, res) => {
      await lookedOften();
      res.end('the connection is open');
    });
    app.get('/:what', (req, res, next) => {
      const turn = { req, res: res as Turn['res'], next, note };
      lookingLate(turn.res, () => using('sendFile', [at(name)], called)(turn));
      ANSWERS[req.params.what](turn);
    });
    const tell: ErrorRequestHandler = (error, _req, res, next) => {
      note(described(error));
      if (res.headersSent) next(error);
      else res.status(500).end('answered');
    };
    app.use(tell);
  },
  rows: Object.keys(ANSWERS).map((what) => ({
    name: what,
    send: [
      Buffer.concat([request(`GET /${encodeURIComponent(what)}`, { Connection: undefined }), request('GET /next')]),
    ],
    shows: /the connection is open/,
  })),
});

const answeredBefore = CALLED.flatMap((called) =>
  ['digits.txt', 'big.bin', 'sub', 'missing'].map((name) => answeringBefore(name, called)),
);

const programs: Program[] = [
  ...answeredBefore,
  handlers(
    'res.sendFile of a name below a root',
    NAMES.map((name): HandlerRow => [JSON.stringify(name), using('sendFile', [name, { root }])]),
  ),
  handlers(
    'res.sendFile without a callback',
    NAMES.map((name): HandlerRow => [JSON.stringify(name), using('sendFile', [name, { root }], false)]),
  ),
  handlers(
    'res.download of a name below a root',
    NAMES.map((name): HandlerRow => [JSON.stringify(name), using('download', [name, { root }])]),
  ),
  handlers(
    'res.sendFile with an option',
    OPTIONS.flatMap(([name, options]) =>
      ['digits.txt', '.dot'].map((file): HandlerRow => [`${name}: ${file}`, using('sendFile', [at(file), options])]),
    ),
  ),
  handlers(
    'res.download with an option',
    OPTIONS.map(([name, options]): HandlerRow => [name, using('download', [at('digits.txt'), 'saved.txt', options])]),
  ),
  handlers(
    'res.download with values that are no options',
    ['text', 7, true, 0, '', null, []].map((value): HandlerRow => [
      JSON.stringify(value),
      using('download', [at('digits.txt'), 'saved.txt', value]),
    ]),
  ),
  // Sent alone: the length of the answer is not that of the text, or there is none.
  handlers('res.sendFile with an option of its stream', [
    ['an encoding', using('sendFile', [at('digits.txt'), { encoding: 'base64' }]), undefined, /MDEyMzQ1Njc4OQ==/],
    ['flags', using('sendFile', [at('digits.txt'), { flags: 'wx' }]), undefined, /by the callback/],
  ]),
  handlers('res.sendFile, conditional', conditional('sendFile', 'digits.txt')),
  handlers('res.download, conditional', conditional('download', 'digits.txt')),
  handlers(
    'res.sendFile where the application has no tags',
    conditional('sendFile', 'digits.txt').slice(0, 12),
    (app) => void app.set('etag', false),
  ),
  handlers(
    'res.sendFile with an option and no callback',
    OPTIONS.flatMap(([name, options]) =>
      ['digits.txt', '.dot', 'sub', 'absent.txt'].map((file): HandlerRow => [
        `${name}: ${file}`,
        using('sendFile', [at(file), options], false),
      ]),
    ),
  ),
  handlers(
    'res.download with an option and no callback',
    OPTIONS.map(([name, options]): HandlerRow => [
      name,
      using('download', [at('digits.txt'), 'saved.txt', options], false),
    ]),
  ),
  handlers(
    'res.sendFile of an absolute name without a callback',
    NAMES.map((name): HandlerRow => [JSON.stringify(name), using('sendFile', [at(name)], false)]),
  ),
  handlers(
    'res.sendFile below odd roots',
    ['', '/', `${root}/`, `${root}/sub/..`, path.relative(process.cwd(), root), `${root}/.well-known`].flatMap(
      (below) =>
        ['page.html', '/page.html', 'file.txt', at('page.html')].map((name): HandlerRow => [
          `${below.replace(root, 'root')}: ${name.replace(root, 'root')}`,
          using('sendFile', [name, { root: below }], false),
        ]),
    ),
  ),
  ...['sendFile', 'download'].flatMap((method) =>
    CALLED.map((called) =>
      handlers(
        `res.${method}, ${withCallback(called)}, whose options change behind the call`,
        changing(method, called),
      ),
    ),
  ),
  handlers(
    'res.download below a root, and res.sendFile with inherited options',
    [...OPTIONS.map(([, options]) => options), ...WRONG].flatMap((options, i): HandlerRow[] => [
      [`download ${i}`, using('download', ['digits.txt', { root, ...options }], false)],
      [`sendFile ${i}`, using('sendFile', ['digits.txt', Object.create({ root, ...options })], false)],
    ]),
  ),
  handlers('res.sendFile, conditional, without a callback', conditional('sendFile', 'digits.txt', false)),
  ...CALLED.flatMap((called) => [
    handlers(
      `res.sendFile ${withCallback(called)} of a response to which something has happened`,
      Object.entries(BEFORE).flatMap(([what, act]) =>
        ['GET', 'HEAD'].map((verb): HandlerRow => [
          `${verb}, ${what}`,
          (turn) => {
            act(turn);
            using('sendFile', [at('digits.txt')], called)(turn);
          },
          request(`${verb} /`),
        ]),
      ),
    ),
    ...Object.entries(TOO_LATE).map(([what, act]) =>
      handlers(
        `res.sendFile ${withCallback(called)} behind ${what}`,
        ['GET', 'HEAD'].map((verb): HandlerRow => [
          verb,
          (turn) => {
            act(turn);
            turn.note('sent too late');
            const look = (): void => using('sendFile', [at('digits.txt')], called)(turn);
            if (called && turn.res.writableEnded) lookingLate(turn.res, look);
            else look();
          },
          request(`${verb} /`),
          /sent too late/,
        ]),
      ),
    ),
  ]),
  handlers('res.sendFile of a long file', conditional('sendFile', 'big.bin').slice(0, 8)),
  handlers(
    'res.attachment',
    ATTACHMENTS.map((name, i): HandlerRow => [
      `${i}: ${String(JSON.stringify(name)).slice(0, 40)}`,
      ({ res }) => (res as Loose)['attachment'](...(i === 0 ? [] : [name])).send('x'),
    ]),
  ),
  handlers(
    'res.download and names',
    ATTACHMENTS.map((name, i): HandlerRow => [
      `${i}: ${String(JSON.stringify(name)).slice(0, 40)}`,
      using('download', [at('digits.txt'), name]),
    ]),
  ),
];

parities(programs);
