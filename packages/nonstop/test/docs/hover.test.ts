import assert = require('node:assert/strict');
import fs = require('node:fs');
import { createRequire } from 'node:module';
import path = require('node:path');
import { after, describe, test } from 'node:test';
import { inRepo } from '../support/paths.js';

interface Part {
  readonly text: string;
}
interface LanguageService {
  getQuickInfoAtPosition(file: string, position: number): { readonly documentation?: readonly Part[] } | undefined;
  getSemanticDiagnostics(file: string): readonly { readonly messageText: unknown }[];
}
/** Editors use TypeScript 5, which the site has for its reference. TypeScript 7 has no such interface. */
const typescript = createRequire(inRepo('docs/package.json'))('typescript') as {
  createLanguageService(host: object): LanguageService;
  getDefaultLibFilePath(options: object): string;
  ScriptSnapshot: { fromString(text: string): object };
  ModuleKind: { NodeNext: number };
  ModuleResolutionKind: { NodeNext: number };
  ScriptTarget: { ES2022: number };
  sys: { readonly useCaseSensitiveFileNames: boolean };
};

const folder = inRepo('.build', 'hover', String(process.pid));
fs.mkdirSync(folder, { recursive: true });
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const common = `
const app = express();
const router = express.Router();
`;

/** Programs. A caret follows each name for which an editor must show a text. */
const programs = {
  'nonstop.mts': `import express, { json, urlencoded, static as files } from 'nonstop';
    import { accelerate, explainAcceleration, isAccelerated } from 'nonstop/http';
    json^(); urlencoded^(); files^('public');
    const server = app.listen^(3000, () => {});
    accelerate^(server); explainAcceleration^(server); isAccelerated^(server);
    `,
  'v4.mts': `import express, { json, query } from 'nonstop/v4';
    json^(); query^();
    app.listen^(3000); app.del^('/', (req, res) => { res.send('') });
    `,
};
const both = `
express^(); express.Router^(); express.json^(); express.urlencoded^(); express.text^(); express.raw^(); express.static^('public');
app.get^('/users/:id', (req, res, next) => {
  req.params^; req.query^; req.body^; req.ip^; req.get^('host'); req.accepts^('html'); req.is^('json'); req.range^(1); req.protocol^;
  res.send^('x'); res.json^({}); res.status^(200); res.set^('a', 'b'); res.redirect^('/'); res.render^('x'); res.cookie^('a', 'b');
  res.sendFile^('x'); res.download^('x'); res.type^('html'); res.locals^; res.sendStatus^(200); res.format^({}); res.append^('a', 'b');
});
app.get^('views'); app.set^('views', 'x'); app.post^('/', (req, res) => {}); app.all^('/', (req, res) => {});
app.use^((req, res, next) => next()); app.use^('/api', router); app.use^(express.json());
app.use^((err, req, res, next) => next(err)); app.route^('/x').get^((req, res) => {});
app.param^('id', (req, res, next, id) => next()); app.engine^('html', () => {}); app.enable^('trust proxy'); app.locals^; app.mountpath^;
app.render^('x', () => {}); app.disable^('etag'); app.path^();
router.get^('/', (req, res) => {}); router.use^((req, res, next) => {}); router.param^('id', (req, res, next, id) => {});
router.route^('/').post^((req, res) => {}); new express.Route^('/');
`;

describe('an editor shows a text', () => {
  for (const [name, own] of Object.entries(programs)) {
    test(`on each name of ${name}`, () => {
      const [first = '', ...rest] = own.split('\n');
      const marked = `${first}\n${common}${rest.join('\n')}${both}`;
      const silent = namesIn(path.join(folder, name), marked).filter(({ text }) => text === '');
      assert.deepEqual(
        silent.map(({ line }) => line),
        [],
      );
    });
  }

  for (const entry of ['nonstop', 'nonstop/v4']) {
    test(`on the imported name of ${entry}, for users and not for readers of the sources`, () => {
      const [imported] = namesIn(path.join(folder, 'imported.mts'), `import express^ from '${entry}';\nexpress();\n`);
      assert.match(imported?.text ?? '', /makes an application.*express\.Request/s);
      assert.doesNotMatch(imported?.text ?? '', /compiler|entry/);
    });
  }
});

/** The names of a program, with the text that an editor shows for each. */
function namesIn(file: string, marked: string): { line: string; text: string }[] {
  const [code, ...carets] = [marked.replaceAll('^', ''), ...positions(marked)] as [string, ...number[]];
  fs.writeFileSync(file, code);
  const service = typescript.createLanguageService(hostOf(file));
  return carets.map((at) => {
    const info = service.getQuickInfoAtPosition(file, at - 1);
    const line = code.slice(code.lastIndexOf('\n', at) + 1, at);
    return { line, text: (info?.documentation ?? []).map((part) => part.text).join('') };
  });
}

function positions(marked: string): number[] {
  const found: number[] = [];
  for (let at = marked.indexOf('^'); at >= 0; at = marked.indexOf('^', at + 1)) found.push(at - found.length);
  return found;
}

function hostOf(file: string): object {
  const options = {
    module: typescript.ModuleKind.NodeNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeNext,
    target: typescript.ScriptTarget.ES2022,
    types: ['node'],
    skipLibCheck: true,
  };
  return {
    ...typescript.sys,
    useCaseSensitiveFileNames: () => typescript.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: typescript.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) =>
      fs.existsSync(name) ? typescript.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined,
  };
}
