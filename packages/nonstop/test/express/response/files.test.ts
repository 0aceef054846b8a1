import assert = require('node:assert/strict');
import { once } from 'node:events';
import path = require('node:path');
import { test } from 'node:test';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { described, eachAsExpress, request, type Build, type Case, type Note } from '../../support/beside-express.js';
import { until } from '../../support/bounded.js';
import { folder } from '../../support/folder.js';
import { ours } from '../../support/framework.js';
import { oracle } from '../../support/oracle.js';
import { RawClient } from '../../support/raw-http.js';

/** Arguments without type checks, as any application may pass. */
interface Loose extends Pick<Response, 'on' | 'end' | 'destroy' | 'locals' | 'set' | 'type' | 'setHeader'> {
  sendFile(...args: unknown[]): void;
  download(...args: unknown[]): void;
  attachment(...args: unknown[]): Loose;
}

type Use = (res: Loose, note: Note, req: Request) => unknown;

const root = folder({
  'note.txt': 'a note\n',
  'é ü.html': '<p>é</p>',
  none: 'no extension',
  'empty.txt': '',
  '.hidden': 'hidden',
  'sub/inner.json': '{"a":1}',
  'sub/.git/config': 'hidden below',
  'long.bin': Buffer.alloc(200_000, 'x'),
});
const note = path.join(root, 'note.txt');

const serving =
  (use: Use, settings: Record<string, unknown> = {}): Build =>
  (app, _kit, noted) => {
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    app.use((req, res) => void use(res as unknown as Loose, noted, req));
    app.use((_req, res) => void res.end('the next handler'));
  };

/** Notes the arguments of a transfer's callback, and answers if nothing was sent. */
const told =
  (res: Loose, noted: Note) =>
  (...args: unknown[]): void => {
    noted(args.map((error) => (error === undefined ? 'done' : described(error))));
    res.end();
  };

const uses: [string, Use][] = [
  ['sendFile sends a file', (res) => res.sendFile(note)],
  ['sendFile keeps a type that is set', (res) => res.type('html') && res.sendFile(note)],
  ['sendFile sends a file without extension', (res) => res.sendFile('none', { root })],
  ['sendFile encodes its path', (res) => res.sendFile('é ü.html', { root })],
  ['sendFile sends an empty file', (res) => res.sendFile('empty.txt', { root })],
  [
    'sendFile passes on nothing if its client has left meanwhile',
    (res) => {
      res.sendFile(note);
      res.destroy(Object.assign(new Error('of the test'), { code: 'ECONNRESET' }));
    },
  ],
  [
    'sendFile behind an answer passes on an error',
    (res) => {
      res.end('an answer');
      res.sendFile(note);
      // The file is found in the next turn of the event loop, before the end of the answer is told.
      for (const until = Date.now() + 50; Date.now() < until;);
    },
  ],
  ['sendFile calls back after a file', (res, noted) => res.sendFile(note, told(res, noted))],
  [
    'sendFile calls back after a file, with options',
    (res, noted) => res.sendFile('note.txt', { root }, told(res, noted)),
  ],
  ['sendFile calls back for a missing file', (res, noted) => res.sendFile('nowhere.txt', { root }, told(res, noted))],
  ['sendFile calls back for a folder', (res, noted) => res.sendFile('sub', { root }, told(res, noted))],
  ['sendFile passes a missing file on as an error', (res) => res.sendFile('nowhere.txt', { root })],
  ['sendFile passes a folder on as nothing', (res) => res.sendFile('sub', { root })],
  ['sendFile refuses to leave the root', (res) => res.sendFile('../note.txt', { root })],
  ['sendFile refuses a bad encoding', (res) => res.sendFile('%zz', { root })],
  ['sendFile refuses a zero byte', (res) => res.sendFile('note\0.txt', { root })],
  ['sendFile passes over a hidden file', (res) => res.sendFile('.hidden', { root })],
  ['sendFile sends a hidden file when told', (res) => res.sendFile('.hidden', { root, dotfiles: 'allow' })],
  ['sendFile denies a hidden file when told', (res) => res.sendFile('.hidden', { root, dotfiles: 'deny' })],
  ['sendFile passes over a file in a hidden folder', (res) => res.sendFile('sub/.git/config', { root })],
  ['sendFile sets an age', (res) => res.sendFile(note, { maxAge: '1h', immutable: true })],
  ['sendFile sets fields', (res) => res.sendFile(note, { headers: { 'X-One': '1', 'Content-Type': 'x/y' } })],
  ['sendFile sets no fields when it fails', (res) => res.sendFile('nowhere', { root, headers: { 'X-One': '1' } })],
  [
    'sendFile leaves out what it is told to',
    (res) => res.sendFile(note, { cacheControl: false, lastModified: false, acceptRanges: false }),
  ],
  ['sendFile tells no tag by its own option', (res) => res.sendFile(note, { etag: false })],
  ['sendFile sends a part', (res) => res.sendFile(note, { start: 2, end: 4 })],
  ['sendFile throws without a path', (res) => res.sendFile()],
  ['sendFile throws for a path that is no text', (res) => res.sendFile(42)],
  ['sendFile throws for a relative path', (res) => res.sendFile('note.txt')],
  ['sendFile throws for an option that is none', (res) => res.sendFile(note, { dotfiles: 'perhaps' })],
  ['sendFile takes null for options', (res) => res.sendFile(note, null)],
  [
    'sendFile after the head calls back with an error',
    (res, noted) => {
      (res as unknown as Response).flushHeaders();
      res.sendFile(note, told(res, noted));
    },
  ],
  ['download sends a file to save', (res) => res.download(note)],
  ['download names the file', (res) => res.download(note, 'other.md')],
  ['download names the file in other letters', (res) => res.download(note, '€ é.txt')],
  ['download names the file by the last part', (res) => res.download(note, 'a/b/c.txt')],
  ['download calls back', (res, noted) => res.download(note, told(res, noted))],
  ['download names and calls back', (res, noted) => res.download(note, 'other', told(res, noted))],
  ['download takes options', (res) => res.download('note.txt', { root, maxAge: 1000 })],
  ['download takes options and calls back', (res, noted) => res.download('note.txt', { root }, told(res, noted))],
  [
    'download takes a name and options',
    (res) => res.download('note.txt', 'other', { root, headers: { 'X-One': '1', 'content-disposition': 'inline' } }),
  ],
  ['download takes all', (res, noted) => res.download('note.txt', 'other', { root }, told(res, noted))],
  ['download takes null for a name', (res) => res.download(note, null, { maxAge: 1000 })],
  ['download takes inherited options', (res) => res.download('note.txt', Object.create({ root, maxAge: 2000 }))],
  ['download passes a missing file on', (res) => res.download(path.join(root, 'nowhere'))],
  ['download calls back for a missing file', (res, noted) => res.download('nowhere', { root }, told(res, noted))],
  ['download throws without a path', (res) => res.download()],
  ['attachment says save', (res) => res.attachment().end('x')],
  ['attachment names the file and its type', (res) => res.attachment('a/b.png').end('x')],
  ['attachment names a file without type', (res) => res.attachment('b').end('x')],
  ['attachment names the file in other letters', (res) => res.attachment('日本.txt').end('x')],
  ['attachment of an empty name', (res) => res.attachment('').end('x')],
  ['attachment throws for a name that is no text', (res) => res.attachment(7).end('x')],
];

const asked: [string, string, Record<string, string>][] = [
  ['HEAD', 'HEAD /', {}],
  ['POST', 'POST /', {}],
  ['a range', 'GET /', { Range: 'bytes=2-3' }],
  ['a suffix range', 'GET /', { Range: 'bytes=-3' }],
  ['two ranges', 'GET /', { Range: 'bytes=0-1,3-4' }],
  ['a range beyond the end', 'GET /', { Range: 'bytes=100-' }],
  ['a range of a changed file', 'GET /', { Range: 'bytes=0-1', 'If-Range': '"other"' }],
  ['a date that is late enough', 'GET /', { 'If-Modified-Since': 'Sun, 01 Feb 2026 00:00:00 GMT' }],
  ['a matching tag', 'GET /', { 'If-None-Match': '*' }],
  ['a tag that must match', 'GET /', { 'If-Match': '"other"' }],
];

eachAsExpress([
  ...uses.map(([name, use]): Case => ({ name, app: serving(use), send: request('GET /') })),
  ...asked.map(([name, line, fields]): Case => ({
    name: `sendFile answers ${name} and calls back`,
    app: serving((res, noted) => res.sendFile(note, told(res, noted))),
    send: request(line, fields),
  })),
  {
    name: 'sendFile sends a long file',
    app: serving((res) => res.sendFile('long.bin', { root })),
    send: request('GET /'),
  },
  {
    name: 'sendFile sends no tag if the application has turned tags off',
    app: serving((res) => res.sendFile(note), { etag: false }),
    send: request('GET /'),
  },
  {
    name: 'sendFile uses the options object of the application',
    app: serving((res, noted) => {
      const options: Record<string, unknown> = { root };
      res.sendFile('note.txt', options, () => noted(options.etag));
    }),
    send: request('GET /'),
  },
]);

// The error may be told when the connection is closed already.
for (const [whose, make] of [
  ['Express', oracle],
  ['Nonstop', ours],
] as const) {
  test(`sendFile passes on the error by which its response is destroyed meanwhile: ${whose}`, async () => {
    const app = make();
    const errors: unknown[] = [];
    app.use((_req, res) => {
      res.sendFile(note);
      res.destroy(new Error('of the test'));
    });
    app.use(((error, _req, _res, _next) => void errors.push(described(error))) as ErrorRequestHandler);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await RawClient.open(server);
    await client.send(request('GET /'));
    await client.ended;
    await until(
      () => errors.length !== 0,
      () => 'the error',
    );
    assert.deepEqual(errors, [{ name: 'Error', message: 'of the test' }]);
    server.close();
  });
}
