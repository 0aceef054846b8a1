import assert = require('node:assert/strict');
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// The other tests count requests by the channel http.server.request.start, and a response is made in another order where that has a subscriber.
// These programs have none, as most.

const program = `
  const { channel } = require('node:diagnostics_channel');
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const http = require(process.argv[1]);
  const store = new AsyncLocalStorage();
  const said = [];
  const by = new Set();
  const say = (...what) => said.push(what);
  const server = http.createServer((req, res) => {
    by.add(req.socket.parser == null ? 'engine' : 'node:http');
    const { url } = req;
    say(url, 'handler', res.socket === req.socket, req.socket._httpMessage === res, res.listenerCount('finish'), store.getStore());
    for (const event of ['socket', 'prefinish', 'finish', 'close'])
      res.on(event, () => say(url, event, res.socket === null, res.writableFinished));
    const answer = () => res.end('answer to ' + url);
    if (url.startsWith('/late')) setTimeout(answer, 20);
    else if (url === '/parts') { res.write('a part, '); setImmediate(answer); }
    else answer();
  });
  // An answer that does not come would keep the process, and the test, for ever.
  setTimeout(() => { throw new Error('there is no answer: ' + JSON.stringify(said)); }, 10_000);
  server.on('connection', (socket) => store.enterWith('of the connection'));
  server.listen(0, '127.0.0.1', async () => {
    const ask = (octets, answers) => new Promise((resolve) => {
      let received = '';
      const client = net.connect(server.address().port, '127.0.0.1', () => client.write(octets));
      client.on('data', (data) => {
        received += data;
        if (received.split('answer to ').length <= answers || (answers > 0 && !/answer to \\S+$|0\\r\\n\\r\\n$/.test(received))) return;
        client.destroy();
        setTimeout(resolve, 20, received.replaceAll(/Date: .*\\r\\n/g, ''));
      });
    });
    const get = (path) => 'GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
    const wires = [
      await ask(get('/one'), 1),
      await ask(get('/one') + get('/two') + get('/three'), 3),
      await ask(get('/late') + get('/two') + get('/late/3'), 3),
      await ask(get('/parts'), 1),
    ];
    const events = {};
    for (const [url, ...what] of said) (events[url] ??= []).push(what);
    const subscribed = channel('http.server.request.start').hasSubscribers;
    console.log(JSON.stringify({ by: [...by], subscribed, wires, events }));
    process.exit();
  });
`;

/** Replaces a method of node's responses, as agents do: node's code then runs each response of the engine from its start. */
const AGENT = `
  const { prototype } = require('node:http').ServerResponse;
  const { end } = prototype;
  prototype.end = function (...args) { return end.apply(this, args); };
`;

interface Played {
  readonly by: readonly string[];
  readonly subscribed: boolean;
  readonly wires: readonly string[];
}

for (const [agent, first] of [
  ['', ''],
  [', and with an agent', AGENT],
] as const) {
  test(`without a subscriber of node's channels${agent}, answers and the events of responses are as under node`, async () => {
    const play = async (module: string): Promise<Played> => {
      const { stdout, stderr } = await runProgram({ text: first + program, args: [module] });
      assert.equal(stderr, '');
      return JSON.parse(stdout) as Played;
    };
    const { by, ...expected } = await play('node:http');
    assert.deepEqual([by, expected.subscribed], [['node:http'], false]);
    assert.match(expected.wires[2], /answer to \/late[^]*answer to \/two[^]*answer to \/late\/3$/);
    const { by: served, ...actual } = await play(`${subject}/http.js`);
    assert.deepEqual(served, ['engine']);
    assert.deepEqual(actual, expected);
  });
}
