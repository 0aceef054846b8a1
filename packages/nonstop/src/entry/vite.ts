import { createRequire } from 'node:module';
import path = require('node:path');
import { asPackage, entryFor } from './which-express.js';
import './register.js';

interface Resolved {
  readonly id: string;
}
type Resolving = Promise<Resolved | null | undefined>;

/** The used part of what Vite gives to a plugin. */
interface Context {
  resolve(specifier: string, importer: string | undefined, options: object): Resolving;
}
interface Settings {
  readonly command: string;
  readonly root: string;
  readonly plugins: readonly { readonly name: string }[];
}

interface Plugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): object;
  configResolved(settings: Settings): void;
  resolveId(this: Context, specifier: string, importer: string | undefined, options: object): Resolving;
  load(id: string): string | undefined;
}

/** The id of a module that loads the file of an entry starts with this. The first character keeps other plugins away. */
const LOADED = '\0nonstop:';

/**
 * A plugin for Vite and vitest (`plugins: [nonstop()]`): Nonstop for `express`, in the version that the importing file has
 * installed, in server builds of Vite, in modules that it loads while it serves, and in vitest's test files and the modules that they load.
 *
 * While Vite serves, node loads an installed Express, and `nonstop/register` in this process does the rest: Vite asks the plugin only where
 * it would transform the package's files, which it cannot do with CommonJS.
 *
 * @see https://vite.dev/guide/api-plugin
 */
function nonstop(): Plugin {
  let root = process.cwd();
  let isServing = false;
  let isTesting = false;
  return {
    name: 'nonstop',
    enforce: 'pre',
    config() {
      const execArgv = ['--require', path.join(__dirname, 'register.js')];
      // vitest 4 uses the first, older versions use the others.
      return { test: { execArgv, poolOptions: { forks: { execArgv }, threads: { execArgv } } } };
    },
    configResolved(settings) {
      ({ root } = settings);
      isServing = settings.command === 'serve';
      isTesting = settings.plugins.some(({ name }) => name.startsWith('vitest'));
    },
    async resolveId(specifier, importer, options) {
      if (specifier !== 'express') return undefined;
      const file = path.resolve(root, importer?.replace(/[?#].*$/s, '') ?? 'a program');
      const { entry } = entryFor('express', file, (manifest) => createRequire(file).resolve(manifest));
      if (entry === undefined) return undefined;
      if (!isServing) return this.resolve(asPackage(entry), __filename, { ...options, skipSelf: true });
      // vitest leaves files of packages to node, or loads them in the test's own context.
      return { id: isTesting ? path.join(__dirname, `${entry}.mjs`) : LOADED + path.join(__dirname, `${entry}.js`) };
    },
    load(id) {
      return id.startsWith(LOADED) ? loading(id.slice(LOADED.length)) : undefined;
    },
  };
}

/** An ES module with the exports of a CommonJS file, which node loads. */
function loading(file: string): string {
  const text = JSON.stringify(file);
  const names = Object.keys(createRequire(file)(file) as object);
  const lines = names.map((name) => `const _${name} = express.${name}; export { _${name} as ${name} };`);
  return `import { createRequire } from 'node:module'; const express = createRequire(${text})(${text}); export default express; ${lines.join(' ')}`;
}

export = nonstop;
