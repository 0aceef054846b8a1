import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { Application, ReflectionKind } from 'typedoc';

/** @typedef {import('typedoc').DeclarationReflection} Declaration */
/** @typedef {{ name: string, title: string, intro: string, declarations: Declaration[] }} Page */

const require = createRequire(import.meta.url);
const root = path.dirname(require.resolve('nonstop/package.json'));
const tsconfig = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));

/** Public entries by what a program imports, each with the file that declares it. */
function entries() {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([key, value]) => {
    const types = value.import?.types ?? value.types;
    // A name with `*` is there for declarations that the compiler writes.
    return types === undefined || key.includes('*')
      ? []
      : [{ name: path.posix.join('nonstop', key), file: path.join(root, types) }];
  });
}

/** The files of `dist/types`, each of which describes one thing. @param {string} folder */
const typeFiles = (folder) =>
  readdirSync(path.join(root, 'dist/types', folder))
    .filter(
      (name) => name.endsWith('.d.ts') && !['index.d.ts', 'foreign.d.ts', 'majors.d.ts', 'untyped.d.ts'].includes(name),
    )
    .map((name) => ({ name: name.slice(0, -'.d.ts'.length), file: path.join(root, 'dist/types', folder, name) }));

const titles = {
  framework: 'express()',
  application: 'Application',
  request: 'Request',
  response: 'Response',
  router: 'Router',
  route: 'Route',
  middleware: 'Options of middleware',
  handlers: 'Handlers',
  'params-from-path': 'Parameters from the path',
  global: 'What packages add',
  messages: 'Request and response',
  routing: 'Router and route',
  params: 'Parameters from the path',
};

/**
 * What there is to say, by page. `nonstop` and `nonstop/v4` have a page for each file of their types; every other entry has one.
 *
 * @returns {Promise<Page[]>}
 */
export async function pages() {
  const own = entries().filter(({ name }) => !['nonstop', 'nonstop/v4'].includes(name));
  const sources = [
    ...typeFiles('').map(({ name, file }) => ({ name, title: titles[name] ?? name, file })),
    ...typeFiles('v4').map(({ name, file }) => ({ name: `v4-${name}`, title: `v4: ${titles[name] ?? name}`, file })),
    ...own.map(({ name, file }) => ({ name: name.slice('nonstop/'.length).replaceAll('/', '-'), title: name, file })),
  ];
  const inner = new Map(own.map(({ file }) => [file, filesBehind(file)]));
  const byFile = await convert([...sources.map(({ file }) => file), ...[...inner.values()].flat()]);
  return sources.map(({ name, title, file }) => {
    const behind = (inner.get(file) ?? []).flatMap((each) => byFile.get(each) ?? []);
    return { name, title, intro: introOf(file), declarations: resolved(file, byFile.get(file) ?? [], behind) };
  });
}

/** The CommonJS declarations of an entry. @param {string} file */
const scriptOf = (file) => readFileSync(file.replace(/\.d\.mts$/, '.d.ts'), 'utf8');

/** The files of the package's inside that an entry takes its types from. @param {string} file of the entry */
function filesBehind(file) {
  const found = [...scriptOf(file).matchAll(/require\('(\.\.\/[^']+)\.js'\)/g)];
  return found
    .map(([, name]) => path.join(path.dirname(file), `${name}.d.ts`))
    .filter((name) => !name.startsWith(path.join(root, 'dist/types') + path.sep));
}

/**
 * What an entry declares, where its own names are names of something behind it: that.
 *
 * @param {string} file of the entry
 * @param {Declaration[]} declarations
 * @param {Declaration[]} behind
 */
function resolved(file, declarations, behind) {
  const named = (/** @type {string | undefined} */ name) => behind.find((each) => each.name === name);
  const exported = named(/declare const \w+: \w+\.(\w+);/.exec(scriptOf(file))?.[1]);
  const found = declarations.map((each) => named(/^(?:\w+\.)?(\w+)$/.exec(String(each.type))?.[1]) ?? each);
  return exported === undefined ? found : [exported, ...found];
}

/** @param {string[]} files @returns {Promise<Map<string, Declaration[]>>} */
async function convert(files) {
  const app = await Application.bootstrap({
    entryPoints: files,
    tsconfig,
    excludeExternals: true,
    skipErrorChecking: true,
    sort: ['source-order'],
    validation: false,
    logLevel: 'Error',
    readme: 'none',
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the declarations');
  const byFile = new Map();
  for (const child of project.getChildrenByKind(ReflectionKind.Module)) {
    const file = path.resolve(root, '..', '..', child.sources?.[0]?.fullFileName ?? '');
    byFile.set(file, withoutDefault(child.children ?? []));
  }
  return byFile;
}

/** `export default` of an entry is what its names are taken from: its members stand for it. @param {Declaration[]} children */
const withoutDefault = (children) => children.filter(({ name }) => name !== 'default');

const COMMENT = String.raw`/\*\*((?:[^*]|\*(?!/))*)\*/`;

/** What an entry says of itself: its comment with `@module`, or that of the object which it exports. @param {string} file */
function introOf(file) {
  const [, module] = new RegExp(`^${COMMENT}`).exec(readFileSync(file, 'utf8')) ?? [];
  if (module?.includes('@module')) return textOf(module);
  const script = file.replace(/\.d\.mts$/, '.d.ts');
  if (script === file || !existsSync(script)) return '';
  const [, object = ''] = new RegExp(`${COMMENT}\\s*declare const `).exec(readFileSync(script, 'utf8')) ?? [];
  return textOf(object);
}

/** @param {string} comment */
const textOf = (comment) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .filter((line) => !line.startsWith('@module'))
    .join('\n')
    .replaceAll(/^@see (\S+)$/gm, 'See <$1>.')
    .trim();
