import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import express = require('express');
import express4 = require('express4');
import { forExpress5, isReadOtherwise, isRefused, withAdvice } from '../../../src/routing/layer/path-advice.js';
import { subject } from '../../support/subject.js';
import { folder } from '../../support/folder.js';

/** Paths that Express 5 refuses, and what to write instead; a RegExp if no path has the same meaning. */
const PATHS: Readonly<Record<string, string>> = {
  '*': "'{*splat}'",
  '/*': "'/{*splat}'",
  '/files/*': "'/files/{*splat}'",
  '/files/*.*': "'/files/{*splat}.{*splat2}'",
  '/user/:id?': "'/user{/:id}'",
  '/:a?/:b?': "'{/:a}{/:b}'",
  '/x.:format?': "'/x{.:format}'",
  '/:name.:format?': "'/:name{.:format}'",
  '/:rest*': "'/*rest'",
  '/:rest(*)': "'/{*rest}'",
  '/a/:rest(.*)': "'/a/*rest'",
  '/a/:rest*?': "'/a{/*rest}'",
  '/a?': "'/{a}'",
  '/ab?cd': "'/a{b}cd'",
  '/(ab)?cd': "'/{ab}cd'",
  '/a/?': "'/a{/}'",
  '/:0': `'/:"0"'`,
  '/wow!': String.raw`'/wow\\!'`,
  '/:id(\\d+)': String.raw`/^(?:\/(?<id>\d+))\/?$/i`,
  '/user/:id(\\d+)/:tab(a|b)': String.raw`/^\/user(?:\/(?<id>\d+))(?:\/(?<tab>a|b))\/?$/i`,
  '/(a|b)': String.raw`/^\/(?:a|b)\/?$/i`,
  '/ab+cd': String.raw`/^\/ab+cd\/?$/i`,
  '/ab*': "'/ab{*splat}'",
  '/[ab]': String.raw`/^\/[ab]\/?$/i`,
};

/** Paths that it accepts with another meaning. */
const OTHERS: Readonly<Record<string, string>> = {
  '/ab*cd': "'/ab{*splat}cd'",
  '/*files': "'/{*splat}files'",
  '/a{1,2}': String.raw`/^\/a{1,2}\/?$/i`,
  '/a|/b': String.raw`/^\/a|\/b\/?$/i`,
  '/\\d': String.raw`/^\/\d\/?$/i`,
};

const URLS = [
  '/',
  '/a',
  '/b',
  '/c',
  '/A',
  '/7',
  '/77',
  '/x',
  '/x.json',
  '/x.',
  '/cd',
  '/abcd',
  '/acd',
  '/abbcd',
  '/abXcd',
  '/wow!',
  '/wow',
  '/files',
  '/files/',
  '/files/a',
  '/files/a/b',
  '/files/a.b',
  '/files/a/b.c',
  '/user',
  '/user/',
  '/user/7',
  '/user/x',
  '/user/7/a',
  '/user/7/c',
  '/user/x/a',
  '/a/',
  '/a/b',
  '/a/b/c',
  '/x.json/',
  '/a.b.c',
  '/(ab)cd',
];

interface Routed {
  get(path: unknown, handle: () => void): unknown;
  handle(req: object, res: object, next: () => void): void;
}

async function matches(router: Routed, route: unknown, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    router.get(route, () => resolve(true));
    router.handle({ url, method: 'GET' }, {}, () => resolve(false));
  });
}

describe('a path of Express 4, written for Express 5', () => {
  for (const [given, wanted] of Object.entries({ ...PATHS, ...OTHERS })) {
    test(`${given} becomes ${wanted}`, async () => {
      assert.deepEqual([isRefused(given), isReadOtherwise(given)], [given in PATHS, given in OTHERS]);
      assert.equal(forExpress5(given, { end: true }), wanted);
      // oxlint-disable-next-line no-implied-eval -- source text is what is shown
      const written: unknown = new Function(`return ${wanted}`)();
      for (const url of URLS) {
        const before = await matches(express4.Router() as unknown as Routed, given, url);
        const after = await matches(express.Router() as unknown as Routed, written, url);
        assert.equal(after, before, url);
      }
    });
  }

  test('a path that means the same in both is not changed', () => {
    for (const given of ['/', '/a', '/a/:b', '/:a-:b', '/a.b', '/é', '/:a.:b', '', '/a b', '/%20'])
      assert.deepEqual([isRefused(given), isReadOtherwise(given)], [false, false], given);
  });

  test('a path that no Express can read gets advice in words', () => {
    assert.equal(forExpress5('/(', { end: true }), 'a RegExp');
  });
});

const program = `
  const nonstop = require(process.argv[2]);
  const app = nonstop();
  const tries = [
    () => app.get('/user/:id?', () => {}),
    () => app.use('*', () => {}),
    () => nonstop.Router().route(['/fine', '/a?']),
    () => app.all(String.raw\`/:id(\\d+)\`, () => {}),
  ];
  for (const act of tries) {
    try { act(); } catch (error) { console.log(JSON.stringify([error.name, error.message, error.stack.includes(error.message)])); }
  }`;

test('Express 5 names the place of a path that it refuses, after its own message', async () => {
  const home = folder({ 'app.js': program });
  const app = path.join(home, 'app.js');
  const { stdout } = await promisify(execFile)(process.execPath, [app, path.join(subject, 'index.js')]);
  const at = (line: number, column: number): string =>
    `\n  The path is given at ${app}:${line}:${column}\n  For Express 5 write `;
  const own = (act: (router: express.Router) => unknown): string => {
    try {
      act(express.Router());
      return 'nothing is thrown';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    [
      ['TypeError', `${own((router) => router.get('/user/:id?'))}${at(5, 15)}'/user{/:id}'`, true],
      ['TypeError', `${own((router) => router.use('*', () => undefined))}${at(6, 15)}'{*splat}'`, true],
      ['TypeError', `${own((router) => router.route('/a?'))}${at(7, 28)}'/{a}'`, true],
      [
        'TypeError',
        `${own((router) => router.get('/:id(\\d+)'))}${at(8, 15)}${String.raw`/^(?:\/(?<id>\d+))\/?$/i`}`,
        true,
      ],
    ],
  );
});

test('a URL in the place of a path gets its path as advice', () => {
  const said = (url: string): string | undefined => {
    const error = withAdvice(new TypeError('refused'), url, {}) as Error;
    return error.message.split('\n').at(-1);
  };
  assert.equal(said('https://example.com/a/:id'), "  This is a URL, and a path begins behind its host: write '/a/:id'");
  assert.equal(said('http://localhost:3000'), "  This is a URL, and a path begins behind its host: write '/'");
  assert.equal(said('https://example.com/*'), "  This is a URL, and a path begins behind its host: write '/{*splat}'");
  assert.equal(said('/a/*'), "  For Express 5 write '/a/{*splat}'");
});
