import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import os = require('node:os');
import path = require('node:path');
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { noChromium, openPage } from '../support/chromium.js';
import { inPackage, inRepo } from '../support/paths.js';

const run = promisify(execFile);
const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Names that only Nonstop has, and inner names of Express that its reference does not describe. */
const ownFunctions = /^(?:http|production)\.|\.(?:init|defaultConfiguration|handle|dispatch|lazyrouter|listRoutes)$/;

/** Names of the parameters in a section's declarations, except those that the text or their own names explain. */
function parametersIn(section: string): string[] {
  const code = [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, text = '']) => text).join('');
  const lists = [...code.matchAll(/^[\w.]+\((.*)\): /gm)].map(([, list = '']) =>
    list.replace(/\{[^}]*\}|\([^)]*\)/g, ''),
  );
  const names = lists.flatMap((list) =>
    [...list.matchAll(/(?:^|, )(?:\.\.\.)?(\w+)\??:/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => !/^(?:listeningListener|event|body)$/.test(name));
}

describe('the site', () => {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-site-'));
  const fileOf = (name: string): string => {
    const page = path.join(out, name.endsWith('/') ? `${name}index.html` : name);
    return path.extname(page) === '' ? `${page}.html` : page;
  };
  const server = http.createServer((req, res) => {
    const [name = '/'] = (req.url ?? '/').split('?');
    const file = fileOf(name);
    if (!fs.existsSync(file)) return void res.writeHead(404).end();
    res.setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream');
    fs.createReadStream(file).pipe(res);
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const built = (): string[] =>
    fs
      .readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map(
        (name) =>
          `/${name
            .split(path.sep)
            .join('/')
            .replace(/(^|\/)index\.html$/, '$1')
            .replace(/\.html$/, '')}`,
      );

  // A broken link on any page fails this with an error.
  before(async () => {
    await run(process.execPath, [inRepo('scripts/docs.mjs'), '--build', '--out', out], { cwd: inRepo() });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    fs.rmSync(out, { recursive: true, force: true });
  });

  test('has a page for each Markdown file of docs/, and no other', () => {
    const sources = fs
      .readdirSync(inRepo('docs'), { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules/') && !name.startsWith('.'))
      .map((name) => `/${name.replace(/(^|\/)(?:README|index)\.md$/, '$1').replace(/\.md$/, '')}`);
    assert.deepEqual(built().toSorted(), sources.toSorted());
  });

  test('has a page for each entry of the package, and a text for each of its declarations', () => {
    const { exports } = JSON.parse(fs.readFileSync(inPackage('package.json'), 'utf8')) as {
      exports: Record<string, string | { readonly import?: { readonly types?: string } }>;
    };
    const entries = Object.entries(exports)
      .filter(([, value]) => typeof value === 'object' && value.import?.types !== undefined)
      .map(([name]) => name.slice('./'.length).replaceAll('/', '-'))
      .filter((name) => name !== '' && name !== 'v4');
    for (const page of [...entries, 'application', 'v4-application']) {
      assert.ok(fs.existsSync(inRepo('docs/reference/api', `${page}.md`)), page);
    }
    const silent = fs.readdirSync(inRepo('docs/reference/api')).flatMap((name) => {
      const text = fs.readFileSync(inRepo('docs/reference/api', name), 'utf8');
      return [...text.matchAll(/^##+ (.+) \{#.*\}\n+(?:```|#)/gm)].map(([, thing]) => `${name}: ${thing}`);
    });
    assert.deepEqual(silent, []);
  });

  test('describes the parameters of each function, and links each function of Express to its source', () => {
    const lacking = fs.readdirSync(inRepo('docs/reference/api')).flatMap((name) => {
      const text = fs.readFileSync(inRepo('docs/reference/api', name), 'utf8');
      return text.split(/^(?=##+ )/m).flatMap((section) => {
        const [, thing = ''] = /^### (\w+\.\w+) \{#/.exec(section) ?? [];
        // A setting's name is a type; each of its members has a text.
        if (thing === '' || thing === 'app.get') return [];
        const unsaid = parametersIn(section).filter((one) => !section.includes(`- \`${one}\`: `));
        const source = ownFunctions.test(thing) || /\*\*See\*\* |RFC \d/.test(section) ? [] : ['its source'];
        return [...unsaid, ...source].map((what) => `${name}: ${thing}: ${what}`);
      });
    });
    assert.deepEqual(lacking, []);
  });

  test('has the target of each link to a part of a page', () => {
    const text = new Map(built().map((name) => [name, fs.readFileSync(fileOf(name), 'utf8')]));
    const broken: string[] = [];
    for (const [name, html] of text) {
      for (const [, href = ''] of html.matchAll(/ href="([^"]*#[^"]+)"/g)) {
        const { pathname, hash, origin } = new URL(href, `http://site${name}`);
        const target = origin === 'http://site' ? text.get(pathname) : '';
        if (target === '') continue;
        if (target?.includes(` id="${decodeURIComponent(hash.slice(1))}"`) !== true) broken.push(`${name}: ${href}`);
      }
    }
    assert.deepEqual([...new Set(broken)], []);
  });

  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`shows its pages without a fault, ${width} pixels wide, ${colorScheme}`, { skip: noChromium }, async () => {
        const { page, problems } = await openPage({ viewport: { width, height: 800 }, colorScheme });
        for (const name of ['/', '/compat/', '/guide/', '/reference/', '/internals/lab']) {
          await page.goto(`${address()}${name}`);
          const room = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          assert.ok(Number(room) <= 0, `${name} is ${String(room)} pixels too wide`);
        }
        // Pages are fetched ahead; going to the next page aborts that.
        assert.deepEqual(
          problems.filter((problem) => !problem.includes('ERR_ABORTED')),
          [],
        );
      });
    }
  }

  test('finds a word of a page', { skip: noChromium }, async () => {
    const { page, problems } = await openPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${address()}/`);
    await page.click('.VPNavBarSearch button');
    await page.fill('.VPLocalSearchBox input', 'accelerate');
    await page.waitForSelector('.VPLocalSearchBox .result');
    assert.deepEqual(problems, []);
  });
});
