import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { after, describe, test } from 'node:test';
import { inPackage, inRepo } from '../support/paths.js';
import { asking, runProgram } from '../support/run-program.js';

/** A second copy of the published files, inside the repository so that it finds its dependencies. */
function copyOf(change: (source: string) => string): string {
  fs.mkdirSync(inRepo('.build', 'copies'), { recursive: true });
  const folder = fs.mkdtempSync(inRepo('.build', 'copies', 'copy-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.cpSync(inPackage('dist'), path.join(folder, 'dist'), { recursive: true });
  fs.copyFileSync(inPackage('package.json'), path.join(folder, 'package.json'));
  const file = path.join(folder, 'dist', 'nonstop.js');
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
  return folder;
}

const program = `${asking}
const [, first, second] = process.argv;
const load = (folder) => ({
  nonstop: require(folder + '/dist/entry/index.js'),
  http: require(folder + '/dist/entry/http.js'),
});
const one = load(first);
const two = load(second);
function applicationOf({ nonstop }, other) {
  const app = nonstop();
  app.get('/send', (req, res) => res.send([app.request.isPrototypeOf(req), req.fresh, req.query.a].join()));
  app.get('/own', (req, res) => res.json(Object.getPrototypeOf(req) === app.request));
  app.post('/json', nonstop.json(), (req, res) => res.json(req.body));
  app.post('/json-of-the-other', other.nonstop.json(), (req, res) => res.json(req.body));
  app.post('/stream', (req, res) => req.setEncoding('utf8').on('data', (part) => res.write(part)).on('end', () => res.end()));
  app.use('/static', nonstop.static(__dirname));
  const mounted = other.nonstop();
  mounted.post('/', other.nonstop.json(), (req, res) => res.json([req.baseUrl, req.body]));
  app.use('/mounted', mounted);
  return app;
}
async function conversation(server) {
  const served = count(server);
  server.on('upgrade', (req, socket) => { socket.end('HTTP/1.1 101 Switching Protocols\\r\\n\\r\\nswitched'); });
  const post = (path) => ask(server, { path, method: 'POST', headers: { 'Content-Type': 'application/json', Connection: 'close' } }, '{"k":1}');
  const answers = [];
  for (const path of ['/send?a=b', '/own', '/own', '/static/package.json', '/none'])
    answers.push(await ask(server, { path }));
  for (const path of ['/json', '/json-of-the-other', '/stream', '/mounted']) answers.push(await post(path));
  const upgraded = await raw(server, 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n');
  server.close();
  return {
    answers: answers.map(({ status, body }) => status + ' ' + body.split('\\n')[0]),
    upgraded: upgraded.split('\\r\\n\\r\\n')[1],
    served,
  };
}
const done = (value) => console.log(JSON.stringify(value));
`;

const answers = (own: readonly boolean[]): string[] => [
  '200 true,false,b',
  ...own.map((each) => `200 ${each}`),
  '200 {',
  '404 <!DOCTYPE html>',
  '200 {"k":1}',
  '200 {"k":1}',
  '200 {"k":1}',
  '200 ["/mounted",{"k":1}]',
];

/** Servers by the code that creates them, and who answers their nine requests. */
const servers: Record<string, readonly [server: string, engine: number, node: number]> = {
  "the first copy's server, the second's application": ['one.http.createServer(applicationOf(two, one))', 9, 0],
  "the second copy's server, the first's application": ['two.http.createServer(applicationOf(one, two))', 9, 0],
  "the first copy's listen()": [`applicationOf(one, two).listen(0, '127.0.0.1')`, 9, 0],
  "the second copy's listen()": [`applicationOf(two, one).listen(0, '127.0.0.1')`, 9, 0],
  "the user's own server, the second's application": [`clients.http.createServer(applicationOf(two, one))`, 8, 1],
};

describe('two copies of one major version', () => {
  const copy = copyOf((source) => source);

  for (const [name, [server, engine, node]] of Object.entries(servers)) {
    test(`${name}: one engine answers`, async () => {
      const text = `${program} conversation(${server}).then(done);`;
      const { stdout } = await runProgram({ text, args: [inPackage(), copy] });
      const expected = { answers: answers([true, true]), upgraded: 'switched', served: { engine, node } };
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  }

  test('nonstop/http is one object', async () => {
    const { stdout } = await runProgram({ text: `${program} done(one.http === two.http);`, args: [inPackage(), copy] });
    assert.equal(stdout.trim(), 'true');
  });

  test('a copy in its own realm, as test runners create it, finds the engine of the process', async () => {
    const text = `${asking}
      const vm = require('node:vm');
      const path = require('node:path');
      const { createRequire } = require('node:module');
      const [, first, second] = process.argv;
      const one = require(first + '/dist/entry/http.js');
      const file = path.join(second, 'dist', 'nonstop.js');
      const wrapped = '(function (module, exports, require, __filename, __dirname) {' + require('node:fs').readFileSync(file, 'utf8') + '\\n})';
      const realm = vm.createContext({ process, console, Buffer, URL, queueMicrotask, setTimeout, setImmediate });
      const module = { exports: {} };
      vm.runInContext(wrapped, realm)(module, module.exports, createRequire(file), file, path.dirname(file));
      const app = module.exports.express();
      app.use(module.exports.express.json());
      app.post('/', (req, res) => res.send(req.body));
      const server = one.createServer(app);
      const served = count(server);
      ask(server, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, '{"k":1}').then((answer) => {
        server.close();
        console.log(JSON.stringify({ ...answer, served, shared: module.exports.host.httpModule === one }));
      });`;
    const { stdout } = await runProgram({ text, args: [inPackage(), copy] });
    const expected = { status: 200, body: '{"k":1}', served: { engine: 1, node: 0 }, shared: true };
    assert.deepEqual(JSON.parse(stdout), expected);
  });

  test('a copy under Jest, which gives it a copy of the process, answers while its fake timers hold the ticks of that', async () => {
    const text = `
      const net = require('node:net');
      const path = require('node:path');
      const vm = require('node:vm');
      const { createRequire } = require('node:module');
      const copied = Object.assign(Object.create(Object.getPrototypeOf(process)), process);
      copied.env = { ...process.env, JEST_WORKER_ID: '1' };
      const realm = vm.createContext({ process: copied, console, Buffer, URL, queueMicrotask, setTimeout, setImmediate });
      const file = path.join(process.argv[1], 'dist', 'nonstop.js');
      const wrapped = '(function (module, exports, require, __filename, __dirname) {' + require('node:fs').readFileSync(file, 'utf8') + '\\n})';
      const module = { exports: {} };
      const original = createRequire(file);
      const given = Object.assign((id) => (/^(?:node:)?process$/.test(id) ? copied : original(id)), original);
      vm.runInContext(wrapped, realm)(module, module.exports, given, file, path.dirname(file));
      const express = process.argv[2] === 'express' ? require('express') : module.exports.express;
      const app = express();
      app.get('/whole', (req, res) => void Promise.resolve().then(() => res.send('whole')));
      app.get('/parts', (req, res) => {
        res.write('part ' + 'x'.repeat(100_000));
        res.once('drain', () => res.end());
      });
      setTimeout(() => process.exit(1), 60_000); // An answer that never comes.
      const server = app.listen(0, '127.0.0.1', async () => {
        copied.nextTick = () => {};
        const client = net.connect(server.address().port, '127.0.0.1');
        let received = '';
        client.on('data', (data) => (received += data));
        for (const url of ['/whole', '/parts', '/whole']) {
          received = '';
          client.write('GET ' + url + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
          while (!/whole$|x\\r\\n0\\r\\n\\r\\n$/.test(received)) await new Promise((resolve) => client.once('data', resolve));
          console.log(url, received.length > 100_000, received.replace(/^[^]*?\\r\\n\\r\\n/, '').slice(-7));
        }
        process.exit();
      });`;
    const [expected, actual] = await Promise.all(
      ['express', 'nonstop'].map((which) => runProgram({ text, args: [inPackage(), which] })),
    );
    assert.match(expected.stdout, /^\/whole false whole\n\/parts true [^]*\n\/whole false whole\n$/);
    assert.deepEqual(actual, expected);
  });

  test('copies that Jest has thrown away are freed, each with its realm', async () => {
    const text = `${asking}
      const path = require('node:path');
      const vm = require('node:vm');
      const { createRequire } = require('node:module');
      require('node:v8').setFlagsFromString('--expose-gc');
      const gc = vm.runInNewContext('gc');
      const file = path.join(process.argv[1], 'dist', 'nonstop.js');
      const wrapped = '(function (module, exports, require, __filename, __dirname) {' + require('node:fs').readFileSync(file, 'utf8') + '\\n})';
      async function play() {
        const copied = Object.assign(Object.create(Object.getPrototypeOf(process)), process);
        copied.env = { ...process.env, JEST_WORKER_ID: '1' };
        const realm = vm.createContext({ process: copied, console, Buffer, URL, queueMicrotask, setTimeout, setImmediate });
        const module = { exports: {} };
        vm.runInContext(wrapped, realm)(module, module.exports, createRequire(file), file, path.dirname(file));
        const app = module.exports.express();
        app.get('/', (req, res) => res.send('x'));
        const server = app.listen(0, '127.0.0.1');
        await require('node:events').once(server, 'listening');
        await ask(server, {});
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        return new WeakRef(realm);
      }
      (async () => {
        const realms = [];
        for (let i = 0; i < 6; i++) realms.push(await play());
        let kept;
        for (let i = 0; i < 50; i++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          gc();
          kept = realms.slice(1, -1).filter((each) => each.deref() !== undefined).length;
          if (kept === 0) break;
        }
        console.log(kept);
        process.exit();
      })();`;
    const { stdout } = await runProgram({ text, args: [inPackage()] });
    assert.equal(stdout, '0\n');
  });

  test('a second copy does not affect the applications of the first', async () => {
    const text = `${program} const app = one.nonstop(); done([app.request.__proto__.__proto__ === one.http.IncomingMessage.prototype, one.nonstop === two.nonstop]);`;
    const { stdout } = await runProgram({ text, args: [inPackage(), copy] });
    assert.deepEqual(JSON.parse(stdout), [true, false]);
  });
});

describe('a copy that needs more than the engine of the earlier copy has', () => {
  const revision = /\bREVISION = 2\b/;
  const newer = copyOf((source) => {
    assert.match(source, revision);
    return source.replace(revision, 'REVISION = 3');
  });

  test('lets its servers stay with node, with a reason', async () => {
    const text = `${program}
      const server = applicationOf(two, one).listen(0, '127.0.0.1');
      conversation(server).then((seen) => done({ ...seen, ...two.http.explainAcceleration(server) }));`;
    const { stdout, stderr } = await runProgram({ text, args: [inPackage(), newer], env: { DEBUG: 'nonstop' } });
    assert.deepEqual(JSON.parse(stdout), {
      answers: answers([true, true]),
      upgraded: 'switched',
      served: { engine: 0, node: 9 },
      accelerated: false,
      reason: 'older-copy',
    });
    assert.match(stderr, /http\.Server 1: left to node, .+\(older-copy\)/);
  });

  test('is the engine of a copy that needs less, where it is loaded first', async () => {
    const text = `${program} conversation(applicationOf(two, one).listen(0, '127.0.0.1')).then(done);`;
    const { stdout } = await runProgram({ text, args: [newer, inPackage()] });
    const expected = { answers: answers([true, true]), upgraded: 'switched', served: { engine: 9, node: 0 } };
    assert.deepEqual(JSON.parse(stdout), expected);
  });
});
