import path = require('node:path');
import { entryFor } from './which-express.js';
import './register.js';

/** A Vite plugin. */
interface Plugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(settings: { readonly root?: string }): object;
}

/**
 * A plugin for Vite and vitest (`plugins: [nonstop()]`): Nonstop for `express`, in the installed version, in server
 * builds of Vite, in modules that it loads while it serves, and in vitest's test files and the modules that they load.
 *
 * @see https://vite.dev/config/shared-options.html#resolve-alias
 */
function nonstop(): Plugin {
  return {
    name: 'nonstop',
    enforce: 'pre',
    config({ root = process.cwd() }) {
      const execArgv = ['--require', path.join(__dirname, 'register.js')];
      return {
        resolve: { alias: aliases(path.resolve(root, 'a program')) },
        // vitest 4 uses the first, older versions use the others.
        test: { execArgv, poolOptions: { forks: { execArgv }, threads: { execArgv } } },
      };
    },
  };
}

function aliases(importer: string): object[] {
  const find = (specifier: string): string => require.resolve(specifier, { paths: [path.dirname(importer)] });
  const { entry } = entryFor('express', importer, find);
  return entry === undefined
    ? []
    : [{ find: /^express$/, replacement: entry === 'index' ? 'nonstop' : `nonstop/${entry}` }];
}

export = nonstop;
