import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// Ticks run between a body and the end of its message, in the middle of a read. An error thrown there is uncaught, as
// anywhere, and must damage neither the process nor the connection. (With node:http on Node 20 the connection hangs.)

const THROWING = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const said = [];
  process.on('uncaughtException', (error) => said.push('uncaught ' + error.message));
  const server = http.createServer((req, res) => {
    said.push('handled ' + req.url);
    if (req.url !== '/last') process.nextTick(() => { throw new Error(req.url); });
    req.on('data', () => {}).on('end', () => res.end('answer to ' + req.url));
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    let received = '';
    client.on('data', (data) => {
      received += data;
      // A read of its own, which tells of no error again.
      if (received.endsWith('answer to /three')) client.write(post('/last'));
      if (received.includes('answer to /last')) {
        console.log(JSON.stringify({ said: said.sort(), answers: received.match(/answer to \\/(one|two|three|last)/g) }));
        process.exit();
      }
    });
    const post = (path) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 4\\r\\n\\r\\nbody';
    client.write(post('/one') + post('/two') + post('/three'));
  });
`;

test('an error that a tick throws during a read is uncaught once, and everything continues', async () => {
  const { stdout, stderr } = await runProgram({ text: THROWING, args: [`${subject}/http.js`] });
  const uncaught = ['/one', '/three', '/two'].map((path) => `uncaught ${path}`);
  const handled = ['/last', '/one', '/three', '/two'].map((path) => `handled ${path}`);
  const { said, answers } = JSON.parse(stdout) as { said: string[]; answers: string[] };
  assert.deepEqual(said, [...handled, ...uncaught]);
  assert.deepEqual(answers.length, 4);
  assert.equal(stderr, '');
});

const BOTH = `
  const net = require('node:net');
  const said = [];
  let client;
  process.on('uncaughtException', (error) => {
    said.push(error.message);
    // What comes next is refused, and tells of neither again.
    if (said.length === 2) client.on('close', () => { console.log(said.sort().join(), http.isAccelerated(server)); process.exit(); }).write('more');
  });
  const http = require(process.argv[1]);
  const server = http.createServer((req, res) => {
    if (req.url === '/two') throw new Error('of the handler');
    process.nextTick(() => { throw new Error('of the tick'); });
    req.resume();
  });
  server.listen(0, '127.0.0.1', () => {
    client = net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume();
    client.write('POST /one HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 4\\r\\n\\r\\nbodyGET /two HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    setTimeout(() => { console.log('only', said.join()); process.exit(); }, 5000).unref();
  });
`;

test('an error that a tick throws during a read is uncaught, too, if a handler throws in that read', async () => {
  const { stdout } = await runProgram({ text: BOTH, args: [`${subject}/http.js`] });
  assert.equal(stdout, 'of the handler,of the tick true\n');
});

const STORES = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const store = new (require('node:async_hooks').AsyncLocalStorage)();
  const said = [];
  const say = (what) => said.push(what + ' in ' + store.getStore());
  process.on('uncaughtException', ({ message }) => say('uncaught ' + message));
  const server = http.createServer((req, res) => {
    say(req.url);
    req.on('data', (piece) => {
      say(piece);
      const fail = () => { throw new Error('thrown'); };
      if (req.url === '/one') store.run('the store of a tick', () => process.nextTick(fail));
    });
    req.on('end', () => {
      say('end');
      res.end('answer to ' + req.url);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    const post = (path) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\na\\r\\n1\\r\\nb\\r\\n0\\r\\n\\r\\n';
    let received = '';
    client.on('data', (data) => {
      received += data;
      if (!received.includes('answer to /two')) return;
      console.log(JSON.stringify([http.isAccelerated(server), ...said.filter((each) => !each.startsWith('uncaught'))]));
      process.exit();
    });
    client.write(post('/one') + post('/two'));
  });
`;

test('the store of a tick that throws during a read is not that of what comes behind it in this read', async () => {
  const { stdout } = await runProgram({ text: STORES, args: [`${subject}/http.js`] });
  const [isAccelerated, ...said] = JSON.parse(stdout) as [boolean, ...string[]];
  assert.equal(isAccelerated, true);
  const expected = ['/one', 'a', 'b', 'end', '/two', 'a', 'b', 'end'].map((what) => `${what} in undefined`);
  assert.deepEqual(said.toSorted(), expected.toSorted());
});

// A large body is read into memory of its own, and the read behind it into memory that all connections share.

const LARGE = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const said = [];
  process.on('uncaughtException', (error) => said.push('uncaught ' + error.message));
  const server = http.createServer((req, res) => {
    said.push(req.method + ' ' + req.url);
    const { url } = req;
    const fail = () => { throw new Error(url); };
    if (url === '/handler') process.nextTick(fail);
    let octets = 0;
    req.on('data', (data) => {
      if (url === '/data' && octets === 0) process.nextTick(fail);
      octets += data.filter((octet) => octet === 0x42).length;
    });
    req.on('end', () => {
      res.end(url + ' had ' + octets + ';');
      if (url === '/end') throw new Error(url);
    });
  });
  server.on('clientError', (error, socket) => socket.destroy());
  const open = () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.received = '';
    client.on('data', (data) => client.received += data).on('error', () => {});
    client.until = (text) => new Promise((resolve) => {
      const look = () => client.received.includes(text) && resolve();
      client.on('data', look).on('close', resolve);
      look();
    });
    return client;
  };
  const get = (path) => 'GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
  const post = (path, body) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body;
  server.listen(0, '127.0.0.1', async () => {
    const [path, size] = process.argv.slice(2);
    const [one, other] = [open(), open()];
    one.write(post(path, 'B'.repeat(Number(size))));
    await one.until(path + ' had ');
    other.write(get('/ours'));
    await other.until('/ours had ');
    one.write(get('/next'));
    await one.until('/next had ');
    console.log(JSON.stringify({ said, answers: one.received.match(/[/][a-z]+ had [0-9]+/g) }));
    process.exit();
  });
`;

for (const path of ['/end', '/handler', '/data']) {
  for (const size of [70_000, 140_000, 300_000]) {
    test(`${path}: a tick that throws in a read of a body of ${size} octets does not mix up the memory of connections`, async () => {
      const { stdout, stderr } = await runProgram({ text: LARGE, args: [`${subject}/http.js`, path, String(size)] });
      const { said, answers } = JSON.parse(stdout) as { said: string[]; answers: string[] };
      assert.deepEqual(said.toSorted(), ['GET /next', 'GET /ours', `POST ${path}`, `uncaught ${path}`]);
      assert.deepEqual(answers, [`${path} had ${size}`, '/next had 0']);
      assert.equal(stderr, '');
    });
  }
}
