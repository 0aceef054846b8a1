import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import path = require('node:path');
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';
import { folder } from '../support/folder.js';

// An application may have a hole through which a client writes members of `Object.prototype`. What Nonstop reads from objects of its own
// must then be as with Express: no other answers, no more errors, no end of the process.

const root = folder({ 'a.txt': 'a file', 'b.txt': 'b'.repeat(9) });

const PROGRAM = `
const net = require('node:net');
const [framework, root] = process.argv.slice(1);
const make = require(framework);
require('node:diagnostics_channel').subscribe('http.server.request.start', ({ request }) => {
  const marked = Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');
  if (marked !== (framework !== 'express' && framework !== 'express4')) throw new Error('the other engine');
});
const app = make();
const told = (req, res) => res.send(JSON.stringify(req.body));
app.post('/text', make.text(), told);
app.post('/raw', make.raw({ type: 'text/plain' }), (req, res) => res.send(String(req.body)));
app.get('/sent/:name', (req, res) => res.sendFile(req.params.name, { root }));
app.get('/downloaded/:name', (req, res) => res.download(req.params.name, { root }));
app.use('/files', make.static(root));
app.get('/json', (req, res) => res.json({ a: [1, '<'] }));
app.get('/made', (req, res, next) => {
  const router = make.Router();
  router.use((req, res, next) => next()).get('/made', (req, res) => res.send('made'));
  app.get('/added', (req, res) => res.send('added'));
  router(req, res, next);
});
const post = (where, type) => 'POST ' + where + ' HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\nContent-Type: ' + type + '\\r\\nContent-Length: 4\\r\\n\\r\\nbody';
const get = (where, more = '') => 'GET ' + where + ' HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n' + more + '\\r\\n';
const requests = [
  post('/text', 'text/plain'), post('/text', 'text/plain; charset=utf-8'), post('/raw', 'text/plain'),
  get('/sent/a.txt'), get('/sent/b.txt', 'Range: bytes=1-2\\r\\n'), get('/sent/none'), get('/downloaded/b.txt'),
  get('/files/a.txt'), get('/files/none'), get('/json'), get('/made'), get('/added'), 'no request\\r\\n\\r\\n',
];
function ask(port, text) {
  return new Promise((done, failed) => {
    let received = '';
    net.connect(port, '127.0.0.1', function () { this.write(text); }).setEncoding('latin1')
      .on('data', (part) => (received += part)).on('error', failed)
      .on('close', () => done(received.replace(/Date: .*/, 'Date: now')));
  });
}
const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const all = async () => {
    const answers = [];
    for (const text of requests) answers.push(await ask(port, text));
    return answers;
  };
  // Once before: what is loaded on first use is loaded.
  const result = { '': await all() };
  const names = ['acceptsCharset', 'takesText', 'begin', 'broken', 'json spaces', 'json escape', 'value', 'writable', 'get', 'set', 'enumerable', 'configurable'];
  for (const name of names) for (const value of ['x', 1, true, {}]) {
    Object.prototype[name] = value;
    result[name + ' = ' + JSON.stringify(value)] = await all();
    delete Object.prototype[name];
  }
  // A pipe does not take all of it at once.
  process.stdout.write(JSON.stringify(result), () => process.exit());
});
`;

type Result = Readonly<Record<string, readonly string[]>>;

for (const [express, nonstop] of [
  ['express', 'index.js'],
  ['express4', 'v4.js'],
] as const) {
  test(`members of Object.prototype that a program did not mean to have change no more than with ${express}`, async () => {
    const [wanted, got] = await Promise.all(
      [express, path.join(subject, nonstop)].map(async (framework) => {
        const { stdout } = await runProgram({ text: PROGRAM, args: [framework, root], env: { NODE_ENV: 'test' } });
        return JSON.parse(stdout) as Result;
      }),
    );
    for (const [how, answers] of Object.entries(wanted)) assert.deepEqual(got[how], answers, how);
    assert.equal(Object.keys(wanted).length, 49);
  });
}

test('a server of http.createServer() goes on where a client has put `get` into Object.prototype before a second connection asks', async () => {
  const text = `
    const net = require('node:net');
    const app = require(process.argv[1])();
    app.get('/', (req, res) => res.send('answer'));
    app.get('/hole', (req, res) => res.send(String(Object.prototype.get = 'there')));
    const server = require('node:http').createServer(app).listen(0, '127.0.0.1', async () => {
      const open = () => new Promise((done) => {
        const socket = net.connect(server.address().port, '127.0.0.1', () => done(socket));
      });
      const ask = (socket, where) => new Promise((done) => {
        socket.once('data', (part) => done(String(part).split('\\r\\n', 1)[0]));
        socket.write('GET ' + where + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      });
      const [one, two] = [await open(), await open()];
      const answers = [await ask(one, '/'), await ask(one, '/hole'), await ask(two, '/')];
      delete Object.prototype.get;
      console.log(answers.join());
      process.exit();
    });
  `;
  for (const framework of ['express', path.join(subject, 'index.js')]) {
    const { stdout } = await runProgram({ text, args: [framework] });
    assert.equal(stdout.trim(), Array(3).fill('HTTP/1.1 200 OK').join());
  }
});
