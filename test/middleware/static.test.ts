import assert = require('node:assert/strict');
import { test } from 'node:test';
import type { Express } from 'express';
import express = require('express');
import { eachAsExpress, request, type Build, type Case } from '../support/beside-express.js';
import { folder } from '../support/folder.js';
import { serveStatic } from '../../src/middleware/static.js';

const root = folder({
  'index.html': '<p>index</p>',
  'note.txt': 'a note\n',
  'page.html': 'page',
  'é ü.txt': 'é',
  '.hidden': 'hidden',
  'sub/index.html': '<p>sub</p>',
  'sub/other.css': 'a{}',
  'bare/': '',
  'snow ☃/': '',
  '.dir/file': 'hidden below',
});

const serving =
  (options?: object, mount = '/'): Build =>
  (app: Express, kit) => {
    app.use(mount, kit.static(root, options));
    app.use((req, res) => void res.end(`not static: ${req.url}`));
  };

const paths = [
  '/',
  '/note.txt',
  '/page',
  '/page.html?x=1',
  '/nowhere',
  '/sub',
  '/sub/',
  '/sub?x=1',
  '/bare',
  '/bare/',
  '/snow%20%E2%98%83',
  '/.hidden',
  '/.dir/file',
  '/%C3%A9%20%C3%BC.txt',
  '/..%2fnote.txt',
  '/../note.txt',
  '/sub/../note.txt',
  '/%00',
  '/%zz',
  '//sub',
  '///sub/..//bare',
  '/\\sub',
  '/note.txt/',
  `/${'x'.repeat(300)}`,
];

const options: [string, object | undefined][] = [
  ['by default', undefined],
  ['without fallthrough', { fallthrough: false }],
  ['without redirect', { redirect: false }],
  ['with extensions', { extensions: ['html'], index: ['nowhere', 'index.html'] }],
  ['without index', { index: false }],
  ['with dotfiles', { dotfiles: 'allow' }],
  ['denying dotfiles', { dotfiles: 'deny' }],
];

const asked: [string, string, Record<string, string>, object?][] = [
  ['HEAD', 'HEAD /note.txt', {}],
  ['POST', 'POST /note.txt', {}],
  ['POST without fallthrough', 'POST /note.txt', {}, { fallthrough: false }],
  ['OPTIONS', 'OPTIONS /note.txt', {}],
  ['OPTIONS without fallthrough', 'OPTIONS /note.txt', {}, { fallthrough: false }],
  ['a range', 'GET /note.txt', { Range: 'bytes=2-3' }],
  ['a range beyond the end', 'GET /note.txt', { Range: 'bytes=100-' }],
  ['a matching tag', 'GET /note.txt', { 'If-None-Match': '*' }],
  ['a tag that must match', 'GET /note.txt', { 'If-Match': '"other"' }],
  ['an age', 'GET /note.txt', {}, { maxAge: '1d', immutable: true }],
  ['an age spelled otherwise', 'GET /note.txt', {}, { maxage: 5000 }],
  [
    'fields left out',
    'GET /note.txt',
    {},
    { etag: false, lastModified: false, cacheControl: false, acceptRanges: false },
  ],
  ['inherited options', 'GET /note.txt', {}, Object.create({ maxAge: 9000 }) as object],
  [
    'fields added',
    'GET /note.txt',
    {},
    {
      setHeaders: (res: { setHeader(name: string, value: string): void }, path: string, stat: { size: number }) =>
        res.setHeader('X-File', `${path.endsWith('note.txt')} ${stat.size}`),
    },
  ],
];

eachAsExpress([
  ...paths.flatMap((path) =>
    options.map(([how, values]): Case => ({
      name: `static answers ${path.slice(0, 40)} ${how}`,
      app: serving(values),
      send: request(`GET ${path}`),
    })),
  ),
  ...['/files', '/files/', '/files/sub', '/files//sub', '/files/note.txt', '/files?x=1'].map((path): Case => ({
    name: `static below a mount answers ${path}`,
    app: serving(undefined, '/files'),
    send: request(`GET ${path}`),
  })),
  ...asked.map(([name, line, fields, values]): Case => ({
    name: `static answers ${name}`,
    app: serving(values),
    send: request(line, fields),
  })),
]);

test('static refuses what Express refuses, when it is made', () => {
  const made = (make: (...args: never[]) => { name: string }, args: unknown[]): string => {
    try {
      return make(...(args as never[])).name;
    } catch (error) {
      return String(error);
    }
  };
  for (const args of [[], [''], [7], [root], [root, null], [root, { setHeaders: 'x' }], [root, { setHeaders: 0 }]]) {
    assert.equal(made(serveStatic, args), made(express.static as never, args));
  }
});
