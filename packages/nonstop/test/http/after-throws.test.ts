import assert = require('node:assert/strict');
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// A listener of the program's throws, and the process goes on because it listens for 'uncaughtException'. Every connection keeps its deadlines.

const start = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const said = [];
  process.on('uncaughtException', (error) => said.push(error.message));
  const options = { headersTimeout: 150, requestTimeout: 250, connectionsCheckingInterval: 30 };
  const open = (octets) => new Promise((resolve) => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write(octets, () => resolve(client)));
    client.on('error', () => {}).resume();
  });
  const closed = (client) => new Promise((resolve) => client.destroyed ? resolve() : client.on('close', resolve));
  const tell = () => { console.log(JSON.stringify(said)); process.exit(); };
  // A connection that nothing closes would keep the process, and the test, for ever.
  setTimeout(() => { said.push('still open'); tell(); }, 10_000);
`;

interface Program {
  readonly text: string;
  readonly says: readonly string[];
}

const programs: Readonly<Record<string, Program>> = {
  "a handler throws what another client's refused request was told with: it is an error of the handler": {
    text: `
      let refusal;
      const server = http.createServer(options, (req, res) => {
        throw refusal;
      });
      server.on('clientError', (error, socket) => {
        refusal ??= error;
        said.push(error.code + ' ' + (error.rawPacket ?? ''));
        socket.destroy();
      });
      process.on('uncaughtException', (error) => {
        said.push('the same: ' + (error === refusal) + ', ' + (error.rawPacket ?? ''));
        tell();
      });
      server.listen(0, '127.0.0.1', async () => {
        await closed(await open('*garbage'));
        await open('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      });`,
    says: ['HPE_INVALID_METHOD *garbage', 'Parse Error: Invalid method encountered', 'the same: true, *garbage'],
  },
  "a listener for 'clientError' throws: the next connection that is late is closed, too": {
    text: `
      const server = http.createServer(options, (req, res) => res.end());
      let first = true;
      server.on('clientError', (error, socket) => {
        socket.destroy();
        said.push(error.code);
        if (first) { first = false; throw new Error('thrown'); }
      });
      server.listen(0, '127.0.0.1', async () => {
        const one = await open('GET / HT');
        setTimeout(async () => {
          await closed(await open('GET / HT'));
          await closed(one);
          tell();
        }, 100);
      });`,
    says: ['ERR_HTTP_REQUEST_TIMEOUT', 'thrown', 'ERR_HTTP_REQUEST_TIMEOUT'],
  },
  'a handler throws at the second request of a connection: its requestTimeout goes on': {
    text: `
      const server = http.createServer(options, (req, res) => {
        if (req.url === '/2') throw new Error('thrown');
        res.end('answered');
      });
      server.on('clientError', (error, socket) => {
        said.push(error.code);
        socket.destroy();
      });
      server.listen(0, '127.0.0.1', async () => {
        const client = await open('GET /1 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
        client.once('data', () => client.write('GET /2 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
        await closed(client);
        tell();
      });`,
    says: ['thrown', 'ERR_HTTP_REQUEST_TIMEOUT'],
  },
};

// The answer that was being sent never finishes, so the next one is never sent, with either engine. close() must not wait for it.
const unfinished: Readonly<Record<string, string>> = {
  'the callback of end()': "res.end('answer', fail)",
  'the callback of write()': "res.write('answer', fail); res.end()",
  "a listener for the socket's 'drain'": "req.socket.once('drain', fail); res.end('x'.repeat(5_000_000))",
};
const closing = Object.entries(unfinished).map(([name, answer]) => [
  `${name} throws: close() closes the connection, on which another answer waits`,
  {
    text: `
      const fail = () => { throw new Error('thrown'); };
      const server = http.createServer((req, res) => {
        if (req.url === '/1') { ${answer}; return; }
        res.end('never sent');
        setImmediate(() => server.close(() => { said.push('closed'); tell(); }));
      });
      server.listen(0, '127.0.0.1', async () => {
        const client = await open('GET /1 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
        process.once('uncaughtException', () => client.write('GET /2 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
      });`,
    says: ['thrown', 'closed'],
  },
]);

for (const [name, { text, says }] of [...Object.entries(programs), ...closing] as [string, Program][]) {
  for (const by of ['node:http', `${subject}/http.js`]) {
    test(`${by === 'node:http' ? by : 'engine'}: ${name}`, async () => {
      const { stdout, stderr } = await runProgram({ text: start + text, args: [by] });
      assert.deepEqual(JSON.parse(stdout), says);
      assert.equal(stderr, '');
    });
  }
}
