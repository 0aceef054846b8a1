import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import type { AddressInfo } from 'node:net';
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import nonstop = require('../src/entry/index.js');
import { folder } from './support/folder.js';
import { inPackage, inRepo } from './support/paths.js';

const run = promisify(execFile);

const projects = [
  { config: 'tsconfig.json', says: 'the programs compile against the built package' },
  { config: 'tsconfig.express.json', says: 'the programs that Express shares compile against @types/express' },
  { config: 'tsconfig.node16.json', says: 'they compile under node16 resolution' },
  { config: 'v4/tsconfig.json', says: 'the programs of Express 4 compile against the built package' },
  { config: 'v4/tsconfig.express.json', says: 'those that Express 4 shares compile against @types/express 4' },
  { config: 'tsconfig.bundler.json', says: 'the module entry compiles under bundler resolution' },
];

/** Type-checks a project. */
async function compile(project: string): Promise<void> {
  const compiler = inRepo('node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout?: string }) =>
    assert.fail(error.stdout || String(error)),
  );
}

describe('the types, as programs see them', () => {
  for (const { config, says } of projects) {
    test(says, async () => {
      await compile(inPackage('test/types', config));
    });
  }

  test('none of the names that @types/express gives is missing in the programs', () => {
    const theirs = withoutComments(inRepo('node_modules/@types/express/index.d.ts'));
    const names = [...theirs.matchAll(/^ {4}(?:export function|interface|var) (\w+)/gm)].map(([, name]) => name);
    assert.ok(names.length > 25, `only ${names.length} names were read`);
    const program = fs.readFileSync(inPackage('test/types/programs/names.ts'), 'utf8');
    assert.deepEqual(
      names.filter((name) => !new RegExp(`\\bexpress\\.${name}\\b`).test(program)),
      [],
    );
  });

  // The types of Express are looked at where they are there: see src/types/foreign.ts.
  test('they compile where no types of Express are installed, and give requests nothing then', async () => {
    const consumer = folder({
      'package.json': '{}',
      'program.ts': `import nonstop from 'nonstop';
        nonstop().get('/:id', (req, res) => {
          res.send(req.params.id.trim());
          // @ts-expect-error -- nobody declared that
          req.owner;
        });`,
      'node_modules/nonstop/package.json': fs.readFileSync(inPackage('package.json')),
      'node_modules/@types/': '',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: ['node'] },
      }),
    });
    fs.cpSync(inPackage('dist'), path.join(consumer, 'node_modules/nonstop/dist'), { recursive: true });
    fs.symlinkSync(inRepo('node_modules/@types/node'), path.join(consumer, 'node_modules/@types/node'), 'junction');
    await compile(consumer);
  });

  // Declarations of the inside would be checked in the user's program, against node types that may be newer than ours.
  test('they lead to declarations of the entries and of src/types alone', () => {
    const dist = inPackage('dist');
    const seen = new Set<string>();
    const outside: string[] = [];
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, specifier] of withoutComments(file).matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)) {
        if (specifier.startsWith('.')) visit(path.resolve(path.dirname(file), asDeclaration(specifier)));
        else if (!/^(node:)?(http|http2|https|net|fs|events)$|^express-serve-static-core$/.test(specifier))
          outside.push(`${file}: ${specifier}`);
      }
    };
    for (const entry of ['index.d.ts', 'index.d.mts', 'v4.d.ts', 'v4.d.mts', 'http.d.ts', 'http.d.mts'])
      visit(path.join(dist, 'entry', entry));
    assert.deepEqual(outside, []);
    const folders = new Set([...seen].map((file) => path.relative(dist, file).split(path.sep)[0]));
    assert.deepEqual([...folders].toSorted(), ['entry', 'types']);
  });
});

const withoutComments = (file: string): string => fs.readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');

const asDeclaration = (specifier: string): string => specifier.replace(/\.(m?)js$/, '.d.$1ts');

/** Members that the types declare and that are not there, by interface, with the reason. */
const absent: Record<string, readonly string[]> = {
  // There once a parser has run; `accepted` is declared because @types/express does.
  OwnRequest: ['accepted', 'body', 'cookies', 'signedCookies'],
  OwnResponse: ['charset'],
  // There on a mounted application; the others are declared because @types/express does.
  Application: ['_router', 'map', 'resource', 'routes'],
  Express: ['parent'],
};

/** The names of the members of an exported interface, from the text of its declaration. */
function declaredMembers(file: string, name: string): string[] {
  const text = fs.readFileSync(inPackage('src/types', file), 'utf8');
  const start = text.search(new RegExp(`^(?:export )?interface ${name}\\b`, 'm'));
  assert.notEqual(start, -1, `${file} declares ${name}`);
  const body = text.slice(start, text.indexOf('\n}\n', start));
  const names = [...body.matchAll(/^ {2}(?:readonly )?(?:'([\w-]+)'|(\w+))\??(?=[(:<])/gm)].map(([, a, b]) => a ?? b);
  return [...new Set(names)].filter((member) => member !== 'new');
}

/** The members of an interface that `object` lacks. */
const lacking = (object: object, file: string, name: string): string[] =>
  declaredMembers(file, name)
    .filter((member) => !(member in object) && !isLaterMethod(member))
    .toSorted();

/** QUERY is declared optional: node 20 got it in its last releases. */
const isLaterMethod = (member: string): boolean => member === 'query';

describe('the types, as the objects have them', () => {
  const app = nonstop();
  const router = nonstop.Router();
  const objects: readonly (readonly [string, string, object])[] = [
    ['application.ts', 'Application', app],
    ['application.ts', 'Express', app],
    ['router.ts', 'IRouter', router],
    ['router.ts', 'Router', router],
    ['route.ts', 'IRoute', router.route('/a')],
    ['route.ts', 'Route', new nonstop.Route('/a')],
    ['framework.ts', 'Framework', nonstop],
  ];
  for (const [file, name, object] of objects) {
    test(`every member of ${name} is there`, () => {
      assert.deepEqual(lacking(object, file, name), absent[name] ?? []);
    });
  }

  test('every member of Request and Response is there in a handler', async () => {
    const served = nonstop();
    served.get('/', (req, res) => {
      res.json([lacking(req, 'request.ts', 'OwnRequest'), lacking(res, 'response.ts', 'OwnResponse')]);
    });
    const server = served.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      assert.deepEqual(await answer.json(), [absent['OwnRequest'], absent['OwnResponse']]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('every property of the objects that express.request and express.response are is declared', () => {
    const undeclared = (object: object, file: string, name: string): string[] =>
      Object.keys(object).filter(
        (member) => ![name, name.slice('Own'.length)].some((each) => declaredMembers(file, each).includes(member)),
      );
    assert.deepEqual(undeclared(nonstop.request, 'request.ts', 'OwnRequest'), []);
    assert.deepEqual(undeclared(nonstop.response, 'response.ts', 'OwnResponse'), []);
  });
});
