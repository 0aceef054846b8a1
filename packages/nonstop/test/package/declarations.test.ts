import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import { createRequire } from 'node:module';
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { inPackage, inRepo } from '../support/paths.js';

/** TypeScript 5, which the site has for its reference. */
const older = createRequire(inRepo('docs/package.json')).resolve('typescript/lib/tsc.js');

/** Compiles a project, with TypeScript 7 if no other is named. */
async function compile(project: string, compiler = inRepo('node_modules/typescript/bin/tsc')): Promise<void> {
  await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch((error: { stdout?: string }) =>
    assert.fail(error.stdout || String(error)),
  );
}

const exportsOfPackage = (): object =>
  (JSON.parse(fs.readFileSync(inPackage('package.json'), 'utf8')) as { exports: object }).exports;

/** A project in which the built package and the types of node are installed, and nothing else. */
function consumerOf(files: Readonly<Record<string, string>>): string {
  const consumer = folder({
    'package.json': '{}',
    'node_modules/nonstop/package.json': fs.readFileSync(inPackage('package.json')),
    'node_modules/@types/': '',
    ...files,
  });
  fs.cpSync(inPackage('dist'), path.join(consumer, 'node_modules/nonstop/dist'), { recursive: true });
  fs.symlinkSync(inRepo('node_modules/@types/node'), path.join(consumer, 'node_modules/@types/node'), 'junction');
  return consumer;
}

/** The text of a tsconfig.json. TypeScript's own libraries are not checked: that would be half of the work, and says nothing of the package. */
const options = (more: object, include?: readonly string[]): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      skipDefaultLibCheck: true,
      esModuleInterop: true,
      module: 'nodenext',
      target: 'es2022',
      types: ['node'],
      ...more,
    },
    include,
  });

/** What programs add to the types of Express, used on Nonstop's beside those of Express. */
const added = (entry: string): string => `import express from 'express';
  import nonstop from '${entry}';
  declare module 'express-serve-static-core' {
    interface Request { tenant: string }
    interface Application { tenants: string[]; handle(req: object, res: object): void }
    interface Express { region: string }
    interface IRouter { ws(path: string): void; params: object }
    interface Router { group(prefix: string): void; handle(req: object, res: object, next: () => void): void }
    interface CookieOptions { zone?: 'eu' | 'us' }
    interface Locals { page: string }
  }
  const theirs: express.RequestHandler = (req, res) => void res.send(req.tenant);
  const ours: nonstop.RequestHandler = (req, res) => void res.cookie('a', req.app.tenants[0], { zone: 'eu' });
  const app = nonstop(), router = nonstop.Router();
  app.handle({} as nonstop.Request, {} as nonstop.Response);
  app.use(theirs, ours, router).ws(app.region + app.locals.page.trim());
  router.ws('/');
  router.group('/');
  express().use(theirs, ours);
  export const takesTheirs: nonstop.Application = express();
  export const givesOurs: express.RequestHandler = ours;
  // @ts-expect-error -- this is not declared
  app.owner;`;

describe('the declarations in a project of its own', () => {
  // Express's types are used if they are installed: see src/types/foreign.ts.
  test('they compile without installed types of Express, and then add nothing to requests', async () => {
    const consumer = consumerOf({
      'program.ts': `import nonstop from 'nonstop';
        nonstop().get('/:id', (req, res) => {
          res.send(req.params.id.trim());
          // @ts-expect-error -- this is not declared
          req.owner;
        });`,
      'tsconfig.json': options({ noEmit: true }),
    });
    await compile(consumer);
  });

  test('without installed types of Express, the members of the global namespace are there, and all of an application', async () => {
    const consumer = consumerOf({
      'program.ts': `import nonstop from 'nonstop';
        declare global { namespace Express { interface Request { owner?: string } interface Application { chats: number } } }
        const app: nonstop.Express = nonstop();
        nonstop().get('/', (req, res) => void res.json([req.owner?.trim(), app.chats.toFixed()]));
        const { cache, engines, handle, parent, request } = nonstop();
        void [cache, engines, handle, parent, request];`,
      'tsconfig.json': options({ noEmit: true }),
    });
    await compile(consumer);
    await compile(consumer, older);
  });

  // TypeScript 6 and 7 include no installed types unless a program names them; those of Express name node's.
  test('they bring the types of node with them', async () => {
    const consumer = consumerOf({
      'program.ts': ['nonstop', 'nonstop/v4', 'nonstop/http', 'nonstop/http2', 'nonstop/production']
        .map((entry, at) => `import entry${at} from '${entry}';\nvoid entry${at};`)
        .join('\n'),
      'tsconfig.json': options({ noEmit: true, types: [] }),
    });
    await compile(consumer);
    await compile(consumer, older);
  });

  for (const [major, entry, theirs] of [
    ['5', 'nonstop', '@types'],
    ['4', 'nonstop/v4', '@types/express4/node_modules/@types'],
  ] as const) {
    test(`what a program adds to the types of Express ${major} is there, and handlers of both still fit`, async () => {
      const consumer = consumerOf({ 'program.ts': added(entry), 'tsconfig.json': options({ noEmit: true }) });
      const types = path.join(consumer, 'node_modules/@types');
      const link = (from: string, name: string): void =>
        fs.symlinkSync(inRepo('node_modules', from), path.join(types, name), 'junction');
      link(major === '5' ? '@types/express' : '@types/express4', 'express');
      link(path.join(theirs, 'express-serve-static-core'), 'express-serve-static-core');
      await compile(consumer);
    });
  }

  const library = `import express from 'nonstop';
    import express4 from 'nonstop/v4';
    import production from 'nonstop/production';
    export const app = express(), router = express.Router(), route = router.route('/:id'), files = express.static('.');
    export const service = production.serve(app, { signals: false });
    export const app4 = express4(), router4 = express4.Router(), route4 = router4.route('/:id');
    export const { use, get, listen, on } = app;
    export const { request, response, application, Route, Router } = express;`;
  const user = (at: string): string => `import { app, router, route, app4, service } from '${at}';
    app.use('/a', router).get('/:name', (req, res) => { res.send(req.params.name.trim()); });
    route.get((req, res) => { res.send(req.params.id.trim()); });
    app4.get('/:name', (req, res) => { res.send(req.params.name.trim()); });
    void service.then(({ drain }) => drain());
    // @ts-expect-error -- nor is this
    void service.then(({ none }) => none);
    // @ts-expect-error -- it is not any
    app.none;`;

  test('a library that exports an application or a router gets declarations that another program can read', async () => {
    const consumer = consumerOf({
      'library/library.mts': library,
      'library/library.cts': library,
      'library/tsconfig.json': options({ composite: true, rootDir: '.', outDir: '../built' }),
      'program.mts': user('./built/library.mjs'),
      'program.cts': user('./built/library.cjs'),
      'tsconfig.json': options({ noEmit: true }, ['program.*']),
    });
    await compile(path.join(consumer, 'library'));
    await compile(consumer);
  });

  // TypeScript 7 has no such resolution, and it reads no `exports`.
  test('every entry is found by the resolution node10 of older TypeScripts, and what they emit is found by newer ones', async () => {
    const entries = Object.keys(exportsOfPackage()).filter((name) => /^\.(\/(?!types)[a-z0-9/]+)?$/.test(name));
    assert.ok(entries.includes('./http/register'));
    const consumer = consumerOf({
      'library.ts': library,
      'all.ts': entries.map((name) => `import '${name.replace('.', 'nonstop')}';`).join('\n'),
      'names.ts': `import { isAccelerated } from 'nonstop/http';\nexport const known: Function = isAccelerated;`,
      // As the compiler is by default: a declaration that imports a default of node's is an error then.
      'plain.json': options({ module: 'commonjs', moduleResolution: 'node10', noEmit: true, esModuleInterop: false }, [
        'all.ts',
      ]),
      'program.ts': user('./built/library.js'),
      'older.json': options(
        {
          module: 'commonjs',
          moduleResolution: 'node10',
          declaration: true,
          outDir: 'built',
          noUncheckedSideEffectImports: true,
        },
        ['library.ts', 'all.ts', 'names.ts'],
      ),
      'tsconfig.json': options({ noEmit: true }, ['program.ts']),
    });
    await compile(path.join(consumer, 'older.json'), older);
    await compile(path.join(consumer, 'plain.json'), older);
    await compile(consumer);
  });
});
