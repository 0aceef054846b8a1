import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { eachSameThroughBothDoors, type Handler, type Scenario } from '../support/both-doors.js';
import { RawClient } from '../support/raw-http.js';
import { subject } from '../support/subject.js';

// Two requests in one segment: the answer to the first is sent before the handler of the second runs, even if that one blocks or exits.

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

type Act = (req: Parameters<Handler>[0], res: Parameters<Handler>[1]) => unknown;

const acts: Readonly<Record<string, Act>> = {
  'destroys its socket': ({ socket }) => socket.destroy(),
  'destroys its request': (req) => req.destroy(),
  'ends its socket': ({ socket }) => socket.end(),
  'ends its socket with something': ({ socket }) => socket.end('HTTP/1.1 429 Too Many Requests\r\n\r\n'),
  'calls destroySoon()': ({ socket }) => socket.destroySoon(),
  'writes to its socket itself': ({ socket }) => socket.end('RAW'),
};

eachSameThroughBothDoors(
  Object.entries(acts).map(([name, act]): Scenario => ({
    name: `the first answer is delivered if the second handler ${name}`,
    talk: async (client) => {
      await client.send(get('/1') + get('/2'));
      await client.untilClose();
    },
    handler: (req, res) => {
      if (req.url === '/1') res.end('one');
      else act(req, res);
    },
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\none/),
  })),
);

const scratch = Buffer.alloc(8192);

eachSameThroughBothDoors([
  {
    name: 'a buffer that the second handler overwrites was sent as the first left it',
    send: get('/A') + get('/B'),
    answers: 2,
    handler: (req, res) => res.end(scratch.fill(req.url![1])),
    check: ({ wire }) => assert.match(wire, /\r\n\r\nA{8192}HTTP[^]*\r\n\r\nB{8192}/),
  },
]);

/** Answers another client's long poll and ends the process, right after the answer to the previous request. */
const ENDING = `
  const http = require(process.argv[1]);
  let poll;
  const server = http.createServer((req, res) => {
    if (req.url === '/poll') poll = res;
    else if (req.url === '/1') res.end('one');
    else { poll.end('event'); process.exit(); }
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
`;

for (const module of ['node:http', path.join(subject, 'http.js')]) {
  const door = module === 'node:http' ? module : 'the engine';
  test(`through ${door} an answer is delivered if the next handler ends the process`, async () => {
    const child = spawn(process.execPath, ['-e', ENDING, module], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [port] = (await once(child, 'message')) as [number];
    const poll = await RawClient.open(port);
    await poll.send(get('/poll'));
    const client = await RawClient.open(port);
    await client.send(get('/1') + get('/2'));
    assert.match((await client.untilClose()).toString('latin1'), /\r\n\r\none$/);
    assert.match((await poll.untilClose()).toString('latin1'), /\r\n\r\nevent$/);
  });
}
