import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import { createRequire } from 'node:module';
import path = require('node:path');
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inRepo } from '../support/paths.js';
import type { Order, Outcome } from './samples/child.js';
import { onExpress, programOf } from './samples/program.js';
import { pages, samplesOf, type Sample } from './samples/read.js';

const run = promisify(execFile);
// Inside the repository, so that samples find the installed packages.
const work = inRepo('.build', 'samples', String(process.pid));

/** TypeScript 5, which the site has for its reference, removes the types from a sample. TypeScript 7 has no interface for that. */
const typescript = createRequire(inRepo('docs/package.json'))('typescript') as {
  transpileModule(code: string, options: object): { outputText: string };
  ModuleKind: { ESNext: number };
  ScriptTarget: { ES2022: number };
};

const all = pages().flatMap((page) => samplesOf(page, fs.readFileSync(inRepo('docs', page), 'utf8')));
const runnable = all.filter(({ notRun }) => notRun === undefined);
const place = ({ page, line }: Sample): string => `${page}:${line}`;

/** Writes the programs of a page and runs them, one after another, in one process. */
async function play(samples: readonly Sample[], framework: 'Express' | 'Nonstop'): Promise<Outcome[]> {
  const orders = samples.map((sample) => orderFor(sample, framework));
  const page = samples[0]?.page ?? '';
  const name = path.join(work, framework, page.replaceAll('/', '-'));
  const [ordersFile, outcomesFile] = [`${name}.orders.json`, `${name}.outcomes.json`];
  fs.writeFileSync(ordersFile, JSON.stringify(orders));
  const env = { ...process.env, NONSTOP_ENGINE: '', DEBUG: '', NODE_ENV: 'test' };
  await run(process.execPath, [path.join(__dirname, 'samples/child.js'), ordersFile, outcomesFile], {
    env,
    timeout: 100_000,
  });
  return JSON.parse(fs.readFileSync(outcomesFile, 'utf8')) as Outcome[];
}

function orderFor(sample: Sample, framework: 'Express' | 'Nonstop'): Order {
  const folder = path.join(work, framework, sample.page.replaceAll('/', '-'), String(sample.line));
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(sample.files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  const { code, module } = programOf(sample);
  const plain = sample.language === 'ts' ? withoutTypes(code) : code;
  const file = path.join(folder, module ? 'sample.mjs' : 'sample.cjs');
  fs.writeFileSync(file, framework === 'Express' ? onExpress(plain) : plain);
  return { file, exchanges: sample.exchanges, prints: sample.prints };
}

function withoutTypes(code: string): string {
  const compilerOptions = { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 };
  return typescript.transpileModule(code, { compilerOptions }).outputText;
}

after(() => fs.rmSync(work, { recursive: true, force: true }));

describe('samples of the pages', { concurrency: 2 }, () => {
  for (const page of new Set(runnable.map(({ page: name }) => name))) {
    for (const framework of ['Express', 'Nonstop'] as const) {
      const samples = runnable.filter(
        (sample) => sample.page === page && (framework === 'Nonstop' || sample.onNonstopAlone === undefined),
      );
      if (samples.length === 0) continue;
      test(`${page} shows what ${framework} does`, async () => {
        const outcomes = await play(samples, framework);
        const problems = samples.flatMap((sample, at) => {
          const problem = outcomes[at]?.problem;
          return problem === undefined ? [] : [`docs/${place(sample)}: ${problem}`];
        });
        if (problems.length > 0) assert.fail(problems.join('\n\n'));
        if (framework === 'Nonstop') assertEngine(samples, outcomes);
      });
    }
  }

  test('an answer or a line that differs from the page is reported', async () => {
    const fence = '`'.repeat(3);
    const markdown = [
      `${fence}js\napp.get('/', (req, res) => res.send('one'));\n${fence}`,
      `${fence}http\nGET /\n\nHTTP/1.1 200 OK\n\ntwo\n${fence}`,
      `${fence}js\nconsole.log('one');\n${fence}\n${fence}text\ntwo\n${fence}`,
    ].join('\n');
    const [answer, line] = await play(samplesOf('made-up.md', markdown), 'Nonstop');
    assert.match(answer?.problem ?? '', /GET \/: the page shows two/);
    assert.match(line?.problem ?? '', /it printed\none/);
  });

  test('those in TypeScript compile', async () => {
    const folder = path.join(work, 'types');
    const typed = runnable.filter(({ language }) => language === 'ts');
    fs.mkdirSync(folder, { recursive: true });
    for (const sample of typed) {
      fs.writeFileSync(path.join(folder, `${place(sample).replaceAll(/\W/g, '-')}.mts`), programOf(sample).code);
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      types: ['node'],
      skipLibCheck: true,
    };
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    const failure = await run(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    if (failure !== '') assert.fail(failure);
    assert.notEqual(typed.length, 0);
  });
});

/** If the application creates its own server, the engine answers each of its requests. */
function assertEngine(samples: readonly Sample[], outcomes: readonly Outcome[]): void {
  for (const [at, sample] of samples.entries()) {
    if (/createServer|'http engine'|'engine'|new Server/.test(sample.code)) continue;
    const counted = outcomes[at]?.served['node:http'] ?? 0;
    assert.equal(counted, 0, `docs/${place(sample)}: ${counted} requests were served by node:http`);
  }
}
