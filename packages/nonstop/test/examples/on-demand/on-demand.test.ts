import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { noChromium, openPage } from '../../support/chromium.js';
import { curlLines, noShell, runLine } from '../guide-lines.js';
import { install, packed, type Framework, type Installed } from './install.js';
import { start, type Answer, type Asked, type Running } from './start.js';

const run = promisify(execFile);

/** An example whose dependencies are too heavy for the repository. */
interface Example {
  /** The file that listens, if it is not `server.js`. */
  readonly program?: string;
  readonly asked: readonly Asked[];
  /** A part of each expected answer: otherwise two equal errors would pass. */
  readonly answers: readonly (string | RegExp)[];
  /** A part of what each line of curl in the guide prints. */
  readonly curl?: readonly RegExp[];
}

const json = (path: string, body: unknown, fields?: Readonly<Record<string, string>>): Asked => ({
  method: 'POST',
  path,
  fields,
  body: JSON.stringify(body),
});
const get = (path: string, fields?: Readonly<Record<string, string>>): Asked => ({ path, fields });

const examples: Readonly<Record<string, Example>> = {
  nest: {
    program: 'dist/main.js',
    asked: [
      get('/cats'),
      get('/cats/1'),
      get('/cats/9'),
      get('/cats/x'),
      json('/cats', { name: 'Kit' }),
      json('/cats', {}),
      { ...json('/cats', {}), body: '{' },
      get('/cats'),
      get('/nothing'),
    ],
    answers: ['Tom', 'Tom', 'no cat 9', 'numeric', 'Kit', 'has to be a text', 'JSON', 'Kit', 'Cannot GET /nothing'],
    curl: [/Tom/],
  },
  decorators: {
    program: 'dist/main.js',
    asked: [
      get('/books'),
      get('/books/1'),
      get('/books/9'),
      json('/books', { title: 'Emma' }),
      json('/books', { title: '' }),
      get('/authors/dune'),
      get('/authors/x'),
      get('/nothing'),
    ],
    answers: ['Dune', 'Dune', 'no book 9', 'Emma', 'isNotEmpty', 'Frank Herbert', 'nobody wrote x', 'Cannot GET'],
    curl: [/Dune[^]*Frank Herbert/],
  },
  'socket.io': {
    asked: [get('/'), get('/socket.io/?EIO=3&transport=polling'), get('/socket.io/socket.io.js')],
    answers: ['<title>Chat', 'Unsupported protocol version', 'Socket.IO v4'],
  },
  apollo: {
    asked: [
      json('/graphql', { query: '{ books { title } }' }),
      json('/graphql', { query: '{ books(author: "Jane Austen") { title } whoami }' }, { 'X-User': 'ada' }),
      json('/graphql', { query: 'mutation { add(title: "Ulysses", author: "James Joyce") { title } }' }),
      json('/graphql', { query: '{ nothing }' }),
      { ...json('/graphql', {}), body: '{' },
      get('/graphql?query=%7Bbooks%7Btitle%7D%7D', { 'Apollo-Require-Preflight': 'true' }),
      get('/graphql?query=%7Bbooks%7Btitle%7D%7D'),
    ],
    answers: ['Dune', '"whoami":"ada"', 'Ulysses', 'Cannot query field', 'Bad Request', 'Ulysses', 'CSRF'],
    curl: [/Dune/],
  },
  trpc: {
    asked: [
      get('/trpc/whoami', { 'X-User': 'ada' }),
      json('/trpc/add', { text: 'buy milk' }),
      get('/trpc/whoami,list?batch=1&input=%7B%7D'),
      get('/trpc/one?input=9'),
      json('/trpc/add', { text: '' }),
      get('/trpc/nothing'),
    ],
    answers: ['"ada"', 'buy milk', 'buy milk', 'no note 9', 'too_small', 'No procedure found'],
    curl: [/"ada"/],
  },
  serverless: {
    asked: [get('/hello/ada?x=1'), json('/echo', { a: 1 }), get('/picture'), get('/nothing')],
    answers: ['"hello":"ada"', '{"a":1}', 'PNG', 'Cannot GET /nothing'],
    curl: [/"hello":"ada"/],
  },
  next: {
    asked: [get('/?name=Ada'), get('/api/time/utc'), get('/nothing'), { method: 'HEAD', path: '/' }],
    answers: [/Hello (<!-- -->)?Ada/, '"zone":"utc"', 'could not be found', ''],
    curl: [/"zone":"utc"/],
  },
  vite: {
    asked: [get('/'), get('/a/b'), get('/?<x>'), get('/assets/nothing.js')],
    answers: ['Hello from the server', '<code>/a/b</code>', '<code>/</code>', '<code>/assets/nothing.js</code>'],
  },
};

/** Without stacks in answers, because their paths differ. */
const production = { NODE_ENV: 'production' };

/** Examples with few dependencies, which CI installs and tests under one Node. */
const light = ['nest', 'serverless', 'socket.io', 'trpc'];
const inCi = process.env['CI'] === 'true' && process.versions.node.startsWith('24.') ? light : [];
const wanted = process.env['NONSTOP_EXAMPLES']?.split(',') ?? inCi;
const skipOf = (name: string): string | false =>
  wanted.includes(name) ? false : 'its packages are fetched on demand: npm run examples';

const running = new Set<Running>();
let tarball: Promise<string> | undefined;

/** Starts an example on one of the frameworks; it ends after the tests of the file at the latest. */
async function serve(installed: Installed, framework: Framework, env: NodeJS.ProcessEnv, program = 'server.js') {
  const one = await start(installed.folder(framework), program, env);
  running.add(one);
  return one;
}

after(() => Promise.all([...running].map((one) => one.stop())));

for (const [name, { program, asked, answers, curl = [] }] of Object.entries(examples)) {
  describe(`examples/${name}`, { skip: skipOf(name), concurrency: false }, () => {
    let installed: Installed;
    before(async () => {
      if (skipOf(name) === false) installed = await install(name, await (tarball ??= packed()));
    });

    test('gives the same answers on Nonstop as on Express, through the engine', async () => {
      const [express, nonstop] = await Promise.all([
        serve(installed, 'Express', production, program),
        serve(installed, 'Nonstop', production, program),
      ]);
      for (const [index, one] of asked.entries()) {
        const expected = plain(await express.ask(one), express);
        const part = answers[index] ?? '';
        const found = typeof part === 'string' ? expected.body.includes(part) : part.test(expected.body);
        assert.ok(found, `${one.path} of Express: ${expected.status} ${expected.body}`);
        assert.deepEqual(plain(await nonstop.ask(one), nonstop), expected, one.path);
      }
      const served = await nonstop.served();
      // node:http serves the first request of a server that the program creates itself.
      assert.ok(served.engine >= asked.length - 1, JSON.stringify(served));
      assert.equal((await express.served()).engine, 0);
      await Promise.all([express.stop(), nonstop.stop()]);
    });

    test('prints an address that answers, and says that its port is taken', async () => {
      const one = await serve(installed, 'Nonstop', production, program);
      const answer = await one.ask({ path: one.path, fields: { Accept: 'text/html' } });
      assert.equal(answer.status, 200, one.path);
      const { port } = new URL(one.address);
      await assert.rejects(serve(installed, 'Nonstop', { ...production, PORT: port }, program), /EADDRINUSE/);
      await one.stop();
    });

    test('answers the lines of curl in the guide', { skip: noShell }, async () => {
      const one = await serve(installed, 'Nonstop', production, program);
      const ports = { http: Number(new URL(one.address).port) };
      const lines = curlLines(name);
      assert.equal(lines.length, curl.length);
      for (const [index, line] of lines.entries()) {
        assert.match(await runLine(line, installed.folder('Nonstop'), ports), curl[index] ?? /^$/);
      }
      await one.stop();
    });

    if (name === 'socket.io' || name === 'trpc') {
      test('serves its client equally', async () => {
        const said = await Promise.all(
          (['Express', 'Nonstop'] as const).map(async (framework) => {
            const server = await serve(installed, framework, production);
            const { stdout } = await run(process.execPath, ['client.js', server.address], {
              cwd: installed.folder(framework),
            });
            await server.stop();
            return stdout;
          }),
        );
        assert.match(
          said[0] ?? '',
          name === 'trpc' ? /buy milk[^]*404: no note 9\n400/ : /heard by 2\nsaid: hello\nover websocket and websocket/,
        );
        assert.equal(said[1], said[0]);
      });
    }

    if (name === 'serverless') {
      test('gives the same answer to an event of API Gateway', async () => {
        const calls = [
          ['GET', '/hello/ada?x=1'],
          ['POST', '/echo', '{"a":1}'],
          ['GET', '/picture'],
          ['GET', '/nothing'],
        ];
        const [express, nonstop] = await Promise.all(
          (['Express', 'Nonstop'] as const).map(async (framework) => {
            const cwd = installed.folder(framework);
            const told: string[] = [];
            for (const call of calls) {
              const env = { ...process.env, ...production };
              const { stdout } = await run(process.execPath, ['invoke.js', ...call], { cwd, env });
              told.push(stdout.replace(/"date": "[^"]*",\s*/i, ''));
            }
            return told;
          }),
        );
        assert.match(express?.[0] ?? '', /"statusCode": 200[^]*hello\\":\\"ada/);
        assert.match(express?.[2] ?? '', /"isBase64Encoded": true/);
        assert.deepEqual(nonstop, express);
      });
    }

    if (name === 'vite') {
      test(
        'is rendered by the server, hydrated by the page and hot-reloaded, in Chromium',
        { skip: noChromium },
        async () => {
          const server = await serve(installed, 'Nonstop', {});
          const { page, problems } = await openPage();
          // Vite's client reports its socket on the console; an earlier change would be missed.
          const connected = page.waitForEvent('console', (line) => line.text() === '[vite] connected.');
          await page.goto(`${server.address}/some/where`);
          await connected;
          assert.equal(await page.textContent('h1'), 'Hello from the server');
          assert.equal(await page.textContent('code'), '/some/where');
          await page.evaluate('window.kept = true');
          await page.waitForSelector('[data-started]');
          await page.click('button');
          assert.equal(await page.textContent('button'), 'clicked 1 times');
          const file = path.join(installed.folder('Nonstop'), 'src', 'message.js');
          fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('from the server', 'again'));
          await page.waitForFunction(`document.querySelector('h1').textContent === 'Hello again'`);
          assert.equal(await page.evaluate('window.kept'), true);
          assert.deepEqual(problems, []);
          // The next request is rendered with the change too.
          assert.match((await server.ask({ path: '/' })).body, /Hello again/);
          assert.ok((await server.served()).engine > 0);
          await server.stop();
        },
      );

      test('runs as a production build, in Chromium', { skip: noChromium }, async () => {
        const server = await serve(installed, 'Nonstop', production);
        const { page, problems, requested } = await openPage();
        await page.goto(`${server.address}/built`);
        assert.equal(await page.textContent('h1'), 'Hello from the server');
        await page.waitForSelector('[data-started]');
        await page.click('button');
        assert.equal(await page.textContent('button'), 'clicked 1 times');
        assert.ok(requested.some((address) => /\/assets\/index-[\w-]+\.js$/.test(address)));
        assert.deepEqual(problems, []);
        await server.stop();
      });
    }
  });
}

/** The answer without parts that differ from run to run: the port. */
const plain = (answer: Answer, { address }: Running): Answer => ({
  ...answer,
  body: answer.body.replaceAll(address.slice('http://localhost:'.length), '<port>'),
});
