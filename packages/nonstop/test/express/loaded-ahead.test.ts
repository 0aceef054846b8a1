import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { subject } from '../support/subject.js';

/** Requests to an application whose release was removed a while after it began to listen: no other package can be found. */
const serves = `
  const http = require('node:http'), Module = require('node:module'), fs = require('node:fs');
  const express = require(process.argv[1]);
  const app = express();
  app.set('query parser', 'extended').set('trust proxy', true);
  app.use(express.static(__dirname + '/none'));
  app.use(express.json(), express.urlencoded({ extended: true }), express.text());
  app.get('/query', (req, res) => res.send(req.query));
  app.get('/throws', () => { throw new Error('thrown'); });
  app.get('/cookie', (req, res) => res.cookie('a', 'b').send(req.ip + req.protocol));
  app.get('/download', (req, res) => res.download(process.argv[1], 'caf\\u00e9', { dotfiles: 'allow' }));
  app.get('/accepts', (req, res) => res.send(req.accepts('html')));
  app.get('/moved', (req, res) => res.redirect('/query'));
  app.get('/fresh', (req, res) => res.set('ETag', '"a"').send('x'));
  app.get('/of/:id', (req, res) => res.end());
  app.get('/status', (req, res) => res.sendStatus(418));
  app.post('/body', (req, res) => res.json(req.body));
  const server = app.listen(0, '127.0.0.1', async () => {
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    // Nothing new for half a second means that all is loaded.
    for (let known = -1, same = 0, i = 0; (same < 25 || known === 0) && i < 1000; i++) {
      await sleep(20);
      const now = Object.keys(require.cache).filter((file) => /node_modules.(?:finalhandler|send|qs)/.test(file)).length ? Object.keys(require.cache).length : 0;
      same = now === known ? same + 1 : 0;
      known = now;
    }
    Module._resolveFilename = (name) => {
      if (!Module.builtinModules.includes(name.replace('node:', ''))) throw new Error(name + ' is gone');
      return name;
    };
    const ask = (method, path, headers = {}, body = '') => new Promise((done, fail) => {
      const req = http.request({ port: server.address().port, method, path, headers, agent: false }, (res) => {
        res.resume().on('end', () => done(res.statusCode));
      });
      req.on('error', fail).end(body);
    });
    const answers = {};
    const note = async (name, ...request) => (answers[name] = await ask(...request));
    await note('no route', 'GET', '/none');
    await note('an error', 'GET', '/throws');
    await note('an encoded path that is none', 'GET', '/of/%');
    await note('a query', 'GET', '/query?a[b]=c');
    await note('a cookie', 'GET', '/cookie', { 'X-Forwarded-For': '10.0.0.1' });
    await note('a download', 'GET', '/download');
    await note('a redirect', 'GET', '/moved');
    await note('an Accept', 'GET', '/accepts', { Accept: 'text/*' });
    await note('a fresh answer', 'GET', '/fresh', { 'If-None-Match': '"a"' });
    await note('a status', 'GET', '/status');
    await note('a body', 'POST', '/body', { 'Content-Type': 'application/json' }, '{"a":"b"}');
    await note('a body in two parts', 'POST', '/body', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }, '{"a":"b"}');
    await note('a body of another type', 'POST', '/body', { 'Content-Type': 'application/vnd.a+b; c=d' }, 'a');
    await note('a compressed body', 'POST', '/body', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, require('node:zlib').gzipSync('[1]'));
    await note('a body in Latin-1', 'POST', '/body', { 'Content-Type': 'text/plain; charset=iso-8859-1' }, Buffer.from([0xe9]));
    await note('a form', 'POST', '/body', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a[b]=c');
    await note('a wrong body', 'POST', '/body', { 'Content-Type': 'application/json' }, '{');
    await note('a wrong charset', 'POST', '/body', { 'Content-Type': 'application/json; charset=none' }, '{}');
    console.log(JSON.stringify(answers));
    process.exit();
  });
`;

/** The same when the packages are gone before the first request. */
const atOnce = serves.replace(/ {4}\/\/ Nothing new[^]*?\n {4}\}\n/, '');

const answers = {
  'no route': 404,
  'an error': 500,
  'an encoded path that is none': 400,
  'a query': 200,
  'a cookie': 200,
  'a download': 200,
  'a redirect': 302,
  'an Accept': 200,
  'a fresh answer': 304,
  'a status': 418,
  'a body': 200,
  'a body in two parts': 200,
  'a body of another type': 200,
  'a compressed body': 200,
  'a body in Latin-1': 200,
  'a form': 200,
  'a wrong body': 400,
  'a wrong charset': 415,
};

/** Prints the packages that an application has in memory when nothing new was loaded for a while; `process.argv[2]` is what makes it. */
const loads = `
  const express = require(process.argv[1]);
  const app = express();
  new Function('app', 'express', process.argv[2])(app, express);
  const loaded = () => new Set(Object.keys(require.cache).map((file) => /.*node_modules.([^/\\\\]+)/.exec(file)?.[1]));
  app.listen(0, '127.0.0.1', async () => {
    for (let known = -1, same = 0, i = 0; (same < 25 || !loaded().has('finalhandler')) && i < 1000; i++) {
      await new Promise((done) => setTimeout(done, 20));
      const now = loaded().size;
      same = now === known ? same + 1 : 0;
      known = now;
    }
    console.log(JSON.stringify([...loaded()]));
    process.exit();
  });
`;

/** What makes an application, and the packages that it needs and others do not. */
const parts: readonly (readonly [string, readonly string[]])[] = [
  [`app.get('/', (req, res) => res.send('x'))`, []],
  [`app.use(express.json())`, ['accepts', 'iconv-lite', 'mime-db', 'raw-body', 'type-is']],
  [`app.use(express.static('.'))`, ['accepts', 'mime-db', 'send', 'type-is']],
  [`app.set('query parser', 'extended')`, ['qs']],
];
const ofParts = ['accepts', 'iconv-lite', 'mime-db', 'qs', 'raw-body', 'send', 'type-is'];

// Each waits in its own process until nothing more is loaded.
describe('packages are loaded ahead', { concurrency: true }, () => {
  for (const entry of ['index.js', 'v4.js']) {
    test(`${entry}: what requests need is loaded before them`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', serves, path.join(subject, entry)], {
        env: { ...process.env, NODE_ENV: 'development' },
      });
      assert.deepEqual(JSON.parse(stdout), answers);
    });

    test(`${entry}: in tests, what requests need is loaded by express()`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', atOnce, path.join(subject, entry)], {
        env: { ...process.env, NODE_ENV: 'test' },
      });
      assert.deepEqual(JSON.parse(stdout), answers);
    });

    test(`${entry}: requests whose packages cannot be loaded get 500`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', atOnce, path.join(subject, entry)], {
        env: { ...process.env, NODE_ENV: 'development' },
      });
      const given = JSON.parse(stdout) as Record<string, number>;
      assert.deepEqual([given['no route'], given['an error'], given['a cookie']], [500, 500, 500]);
      assert.deepEqual(Object.keys(given), Object.keys(answers));
    });

    for (const [made, needed] of parts) {
      test(`${entry}: after ${made} the packages that it needs are loaded in the background, and no others`, async () => {
        const { stdout } = await promisify(execFile)(process.execPath, ['-e', loads, path.join(subject, entry), made], {
          env: { ...process.env, NODE_ENV: 'development' },
        });
        const loaded = JSON.parse(stdout) as string[];
        assert.ok(loaded.includes('finalhandler'), stdout);
        // Express 4 parses nested queries unless it is told not to.
        const all = entry === 'v4.js' ? [...needed, 'qs'] : needed;
        assert.deepEqual(
          ofParts.filter((name) => loaded.includes(name)),
          ofParts.filter((name) => all.includes(name)),
        );
      });
    }
  }
});
