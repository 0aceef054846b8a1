import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { installedExpress } from '../support/installed-express.js';
import { inRepo } from '../support/paths.js';

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');
const name = (file: string): string => JSON.stringify(path.join(entry, file));

const app = `import express, * as all from 'express'; export { express, all };`;
const installed = (version: string): Record<string, string> => ({ 'app.js': app, ...installedExpress(version) });

const root = folder({
  ...Object.fromEntries(
    Object.entries({
      five: installed('5.3.0'),
      'five/inner/four': installed('4.22.3'),
      three: installed('3.21.2'),
      none: { 'app.js': app },
    }).flatMap(([place, files]) => Object.entries(files).map(([file, text]) => [`${place}/${file}`, text])),
  ),
  // What a server build leaves to the start of the bundle.
  'node_modules/nonstop/package.json': JSON.stringify({
    name: 'nonstop',
    exports: { '.': './a.js', './v4': './a.js' },
  }),
  'node_modules/nonstop/a.js': '',
});

async function print(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['-e', program], {
    cwd: root,
    env: { ...process.env, NONSTOP_REGISTER: 'quiet' },
  });
  return JSON.parse(stdout);
}

/** Vite 8, and the one that VitePress brings. */
const VITES = ['node_modules/vite', 'node_modules/vitepress/node_modules/vite'];

/** Runs code in a process with the plugin and Vite. */
const withVite = async (place: string, code: string): Promise<unknown> =>
  print(`
    const nonstop = require(${name('vite.js')});
    const which = (express) => ['index', 'v4'].find((file) => express === require(${JSON.stringify(entry)} + '/' + file + '.js')) ?? express.whose;
    const always = { configFile: false, plugins: [nonstop()], logLevel: 'silent' };
    (async () => {
      const { build, createServer } = await import(${JSON.stringify(pathToFileURL(inRepo(place, 'dist/node/index.js')).href)});
      const load = async (root, files, ssr) => {
        const server = await createServer({ ...always, root, ssr, appType: 'custom', optimizeDeps: { noDiscovery: true },
          server: { middlewareMode: true, ws: false, hmr: false, watch: null } });
        const found = [];
        for (const file of files) {
          const { express, all } = await server.ssrLoadModule(file).catch((error) => ({ express: { whose: error.message } }));
          found.push(which(express), all?.Router === express.Router);
        }
        await server.close();
        return found;
      };
      console.log(JSON.stringify(await (${code})()));
    })();`);

for (const place of VITES) {
  const { version } = require(inRepo(place, 'package.json')) as { version: string };

  describe(`nonstop/vite with Vite ${version}`, () => {
    test('gives what Vite loads while it serves the Nonstop for the Express that the importing file has', async () => {
      const files = ['/app.js', '/inner/four/app.js'];
      const found = await withVite(place, `() => load('five', ${JSON.stringify(files)})`);
      assert.deepEqual(found, ['index', true, 'v4', true]);
    });

    test('does so where no Express is installed, and where Vite is to transform packages', async () => {
      const found = await withVite(
        place,
        `async () => [await load('none', ['/app.js']), await load('five', ['/app.js', '/inner/four/app.js'], { noExternal: true })]`,
      );
      assert.deepEqual(found, [
        ['index', true],
        ['index', true, 'v4', true],
      ]);
    });

    test('does not replace another version', async () => {
      assert.deepEqual(await withVite(place, `() => load('three', ['/app.js'])`), ['its own', true]);
    });

    // A package that Vite does not find from its root goes into the bundle.
    test('names the same Nonstop in a build for the server', async () => {
      const code = `async () => {
        const texts = [];
        for (const file of ['five/app.js', 'five/inner/four/app.js', 'none/app.js', 'three/app.js']) {
          const { output } = await build({ ...always, build: { ssr: file, write: false } });
          texts.push(/ from ["'](.+?)["']/.exec(output[0].code)?.[1] ?? /its own/.exec(output[0].code)?.[0]);
        }
        return texts;
      }`;
      assert.deepEqual(await withVite(place, code), ['nonstop', 'nonstop/v4', 'nonstop', 'its own']);
    });
  });
}

describe('nonstop/vite', () => {
  test('gives vitest the files of the Nonstop for the Express that the importing file has, and a flag', async () => {
    const { execArgv, poolOptions, ids } = (await print(`
      const plugin = require(${name('vite.js')})();
      const { test } = plugin.config();
      plugin.configResolved({ command: 'serve', root: process.cwd(), plugins: [{ name: 'vitest' }] });
      const idOf = async (file, specifier = 'express') => (await plugin.resolveId(specifier, file, {}))?.id;
      Promise.all([idOf(require('node:path').resolve('five/app.js')), idOf('five/inner/four/app.js?v=1'), idOf('none/app.js'),
        idOf(undefined), idOf('three/app.js'), idOf('five/app.js', 'expresso')])
        .then((ids) => console.log(JSON.stringify({ ...test, ids })));`)) as Record<string, unknown>;
    const flags = ['--require', path.join(entry, 'register.js')];
    assert.deepEqual(execArgv, flags);
    assert.deepEqual(poolOptions, { forks: { execArgv: flags }, threads: { execArgv: flags } });
    const [five, four] = [path.join(entry, 'index.mjs'), path.join(entry, 'v4.mjs')];
    assert.deepEqual(ids, [five, four, five, five, null, null]);
  });

  test('makes the serving process load Nonstop', async () => {
    const same = await print(`require(${name('vite.js')})();
      console.log(JSON.stringify(require(require('node:path').resolve('five/node_modules/express/lib/response.js')) === require(${name('index.js')}).response));`);
    assert.equal(same, true);
  });
});
