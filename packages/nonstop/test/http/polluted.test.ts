import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import path = require('node:path');
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// A program may have a hole through which a client writes members of `Object.prototype`. A server of the engine must not stop for members
// with which node's goes on.

const PROGRAM = `
const net = require('node:net');
const http = require(process.argv[1]);
const [, , name, value] = process.argv;
const server = http.createServer((req, res) => {
  if (req.url !== '/whole') return res.end(req.url);
  let body = '';
  req.on('data', (part) => (body += part)).on('end', () => {
    res.write(JSON.stringify([body, req.rawHeaders, req.headers, req.trailers]));
    res.end(JSON.stringify(req.rawTrailers));
  });
});
function ask(socket, text) {
  return new Promise((done) => {
    let received = '';
    socket.setEncoding('latin1').on('data', (part) => (received += part)).on('error', () => undefined)
      .on('close', () => done(received.replace(/Date: .*/, 'Date: now')));
    socket.write(text);
  });
}
const texts = [
  'GET /a HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n',
  'no request\\r\\n\\r\\n',
  'GET /b HTTP/1.1\\r\\nHost: a\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n',
  'POST /c HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nno size\\r\\n',
  'POST /whole HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nb\\r\\n0\\r\\nX-T: t\\r\\n\\r\\n',
  'GET /d HTTP/1.0\\r\\n\\r\\n',
];
server.on('upgrade', (req, socket) => socket.end('upgraded'));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const sockets = [];
  // The clients are there before, so that they do not meet the members.
  for (const text of texts) await new Promise((done) => sockets.push(net.connect(port, '127.0.0.1', done)));
  Object.prototype[name] = JSON.parse(value);
  const answers = [];
  for (const [i, text] of texts.entries()) answers.push(await ask(sockets[i], text));
  delete Object.prototype[name];
  console.log(JSON.stringify(answers));
  process.exit();
});
`;

for (const name of ['get', 'set', 'shouldUpgradeCallback'])
  for (const value of ['"x"', 'true', '{}']) {
    test(`Object.prototype.${name} = ${value}: a server goes on as node's does`, async () => {
      const [wanted, got] = await Promise.all(
        ['node:http', path.join(subject, 'http.js')].map(async (module) => {
          const { stdout } = await runProgram({ text: PROGRAM, args: [module, name, value] });
          return JSON.parse(stdout) as unknown;
        }),
      );
      assert.deepEqual(got, wanted);
    });
  }

test('Object.prototype.fd: a server that gets a connection opens no file descriptor', async () => {
  const text = `
    const net = require('node:net');
    const http = require(process.argv[1]);
    const server = http.createServer((req, res) => res.end('answer'));
    const passed = net.createServer((socket) => {
      Object.prototype.fd = 1e9;
      server.emit('connection', socket);
      delete Object.prototype.fd;
    }).listen(0, '127.0.0.1', () => {
      net.connect(passed.address().port, '127.0.0.1', function () {
        this.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n');
      }).on('data', (part) => process.stdout.write(String(part).replace(/Date: .*/, 'Date: now'))).on('close', () => process.exit());
    });
  `;
  const [wanted, got] = await Promise.all(
    ['node:http', path.join(subject, 'http.js')].map(async (module) => runProgram({ text, args: [module] })),
  );
  assert.match(wanted.stdout, /answer$/);
  assert.equal(got.stdout, wanted.stdout);
});
