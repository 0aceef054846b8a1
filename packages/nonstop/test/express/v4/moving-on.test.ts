import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { folder } from '../../support/folder.js';
import { runProgram } from '../../support/run-program.js';
import { subject } from '../../support/subject.js';

const run = promisify(execFile);

/** A line of an Express 4 program, and the expected message; no message if Express 5 answers alike. */
type Row = readonly [line: string, ...said: string[]];

/** Lines that set up an application. */
const SETUP: readonly Row[] = [
  [
    "app.get('/found/*', (req, res) => res.send(req.params[0]));",
    "Express 5 refuses the path '/found/*': write '/found/{*splat}'",
  ],
  ["app.use(['/fine', '/a?'], pass);", "Express 5 refuses the path '/a?': write '/{a}'"],
  [
    "app.route('/:id(\\\\d+)').get(pass);",
    "Express 5 refuses the path '/:id(\\\\d+)': write /^(?:\\/(?<id>\\d+))\\/?$/i",
  ],
  ["express.Router().get('/*files', pass);", "Express 5 reads the path '/*files' differently: write '/{*splat}files'"],
  ["app.get('/fine/:id', pass); app.get(/^\\/fine(a|b)?/, pass); app.use('/', pass);"],
  [
    "app.use(/^\\/dot/, (req, res) => res.send('served'));",
    "Express 5 does not take a path such as '/dot.json' to what is mounted at /^\\/dot/",
  ],
  ["app.use('/no-dot', (req, res) => res.send('served'));"],
  [
    'app.use(express.urlencoded());',
    'express.urlencoded() without extended is not extended in Express 5: give it extended: true',
  ],
  ['app.use(express.urlencoded({ extended: false }), express.json());'],
  [
    "app.get('/query', (req, res) => res.json(req.query));",
    "req.query has no lists and objects of brackets in Express 5 without app.set('query parser', 'extended')",
  ],
  ["app.get('/plain-query', (req, res) => res.json(req.query));"],
  [
    "app.get('/written-query', (req, res) => { req.query = { a: 1 }; res.json(req.query); });",
    'req.query cannot be written in Express 5: use another property',
  ],
  [
    "app.all('/body', (req, res) => res.json(req.body));",
    'req.body is undefined in Express 5 where no parser has read a body',
  ],
  ["app.all('/own-body', (req, res) => { req.body = 'own'; res.send(req.body); });"],
  ["app.post('/sent-body', (req, res) => res.json(req.body));"],
  [
    "app.get('/status', (req, res) => res.status('404').send('x'));",
    "res.status() throws in Express 5 for '404': a status is a whole number from 100 to 999",
  ],
  [
    "app.get('/send-status', (req, res) => res.sendStatus(1000));",
    'res.sendStatus() throws in Express 5 for 1000: a status is a whole number from 100 to 999',
  ],
  ["app.get('/redirect', (req, res) => res.redirect('301', '/'));"],
  [
    "app.get('/odd-redirect', (req, res) => res.redirect(200.5, '/'));",
    'res.redirect() throws in Express 5 for 200.5: a status is a whole number from 100 to 999',
  ],
  ["app.get('/fine-status', (req, res) => res.status(201).send('x'));"],
  [
    "app.get('/type', (req, res) => res.type('js').send('x'));",
    "res.type('js') is application/javascript, in Express 5 text/javascript",
  ],
  ["app.get('/fine-type', (req, res) => res.type('html').send('x'));"],
  [
    "app.get('/file', (req, res) => res.sendFile(__dirname + '/.dot/a.txt'));",
    "res.sendFile answers 404 for a path with a folder that begins with a dot in Express 5, without dotfiles: 'allow'",
  ],
  ["app.get('/root-file', (req, res) => res.sendFile('a.txt', { root: __dirname + '/.dot' }));"],
  ["app.get('/allowed-file', (req, res) => res.sendFile(__dirname + '/.dot/a.txt', { dotfiles: 'allow' }));"],
  [
    "app.use('/files', express.static(__dirname));",
    "express.static does not serve folders that begin with a dot in Express 5, without dotfiles: 'allow'",
    'express.static sends .js as application/javascript, in Express 5 as text/javascript',
  ],
  ["app.use('/allowed', express.static(__dirname, { dotfiles: 'allow' }));"],
  ['app._router;', 'app._router is app.router in Express 5'],
  ["express.Router().get('/', pass).stack[0].regexp;", 'layers of Express 5 have no regexp: ask layer.match(path)'],
  [
    "const chosen = express(); chosen.set('query parser', 'extended'); chosen.get('/', (req, res) => res.json(req.query)); app.use('/chosen', chosen);",
  ],
];

const REQUESTS = [
  'GET /found/a/b',
  'GET /dot.json',
  'GET /dot/a.json',
  'GET /no-dot',
  'GET /query?a[b]=1',
  'GET /plain-query?a=1&a=2',
  'GET /written-query',
  'GET /body',
  'POST /own-body',
  'POST /sent-body',
  'GET /status',
  'GET /send-status',
  'GET /redirect',
  'GET /odd-redirect',
  'GET /fine-status',
  'GET /type',
  'GET /fine-type',
  'GET /file',
  'GET /root-file',
  'GET /allowed-file',
  'GET /files/.dot/a.txt',
  'GET /files/a.js',
  'GET /files/missing/.dot/a.js',
  'GET /allowed/.dot/a.txt',
  'GET /chosen?a[b]=1',
  'GET /found/a/b',
];

const HEAD = [
  'const express = require(process.argv[2]); const app = express(); const pass = (req, res, next) => next(); const warnings = [];',
  "process.on('warning', ({ name, code, message }) => warnings.push([name, code, message]));",
];
const TAIL = [
  "const server = app.listen(0, '127.0.0.1', async () => {",
  '  const answers = [];',
  '  for (const line of JSON.parse(process.argv[3])) {',
  "    const [method, target] = line.split(' ');",
  "    const body = method === 'POST' ? { body: '{\"a\":1}', headers: { 'Content-Type': 'application/json' } } : {};",
  "    const answer = await fetch('http://127.0.0.1:' + server.address().port + target, { method, redirect: 'manual', ...body }).catch((error) => ({ status: 0, text: () => '' }));",
  '    answers.push([answer.status, await answer.text()]);',
  '  }',
  '  console.log(JSON.stringify({ warnings, answers }));',
  '  server.close(); server.closeAllConnections();',
  '});',
];

interface Outcome {
  readonly warnings: readonly (readonly [name: string, code: string, message: string])[];
  readonly answers: unknown;
}

async function play(home: string, value: string): Promise<Outcome> {
  const args = [path.join(home, 'app.js'), path.join(subject, 'v4.js'), JSON.stringify(REQUESTS)];
  const env = { ...process.env, NONSTOP_EXPRESS5: value, NO_DEPRECATION: '*', NODE_ENV: 'production' };
  const { stdout } = await run(process.execPath, args, { env, cwd: home });
  return JSON.parse(stdout) as Outcome;
}

describe('NONSTOP_EXPRESS5=warn', () => {
  const app = [...HEAD, ...SETUP.map(([line]) => line), ...TAIL].join('\n');
  const home = folder({ 'app.js': app, 'a.js': 'a', '.dot/a.txt': 'dot' });
  let heard: Outcome;
  before(async () => {
    heard = await play(home, 'warn');
  });

  for (const [at, [line, ...said]] of SETUP.entries()) {
    test(`${said.length === 0 ? 'says nothing of' : 'names'} ${line}`, () => {
      const place = ` (${path.join(home, 'app.js')}:${HEAD.length + at + 1}:`;
      const here = heard.warnings.filter(([, , message]) => message.includes(place));
      assert.deepEqual(
        here.map(([, , message]) => message.slice(0, message.indexOf(place))).toSorted(),
        [...said].toSorted(),
      );
      for (const [name, code] of here) assert.deepEqual([name, code], ['Express5Warning', 'NONSTOP_EXPRESS5']);
    });
  }

  test('does not warn of anything else', () => {
    assert.equal(
      heard.warnings.length,
      SETUP.reduce((sum, [, ...said]) => sum + said.length, 0),
    );
  });

  test('does not change answers', async () => {
    const quiet = await play(home, '');
    assert.deepEqual(heard.answers, quiet.answers);
    assert.deepEqual(quiet.warnings, []);
  });

  test('a client who chooses what is told cannot have more than a hundred warnings of one place', async () => {
    const text = `
      const { status } = require(process.argv[1]).response;
      let warnings = 0;
      process.on('warning', () => warnings++);
      for (let code = 0; code < 300; code++) status.call({}, 'chosen ' + code);
      setImmediate(() => console.log(warnings));
    `;
    const { stdout } = await runProgram({ text, args: [`${subject}/v4.js`], env: { NONSTOP_EXPRESS5: 'warn' } });
    assert.equal(stdout, '100\n');
  });

  test('another value is an error', async () => {
    await assert.rejects(
      play(home, 'loud'),
      /TypeError: NONSTOP_EXPRESS5 is 'loud', and must be 'warn'[^]*code: 'ERR_NONSTOP_EXPRESS5'/,
    );
  });
});
