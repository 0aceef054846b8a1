import assert = require('node:assert/strict');
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net = require('node:net');
import path = require('node:path');
import { after, before, test } from 'node:test';
import { subject } from '../support/subject.js';

/*
 * An object that is referenced from old space moves to old space itself, used or not, and stays until a full collection. If each
 * request leaves one small object there, that garbage is copied twice, and V8 enlarges the new space: hundreds of megabytes on
 * a busy server.
 */

/** Sends its port; when asked, the size of old space after two minor collections, which promote the survivors. */
const program = `
  const v8 = require('node:v8');
  const nonstop = require(process.argv[1]);
  const app = nonstop();
  app.get('/', (req, res) => { res.send('Hello World!'); });
  app.post('/', nonstop.json(), (req, res) => { res.json(req.body); });
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('message', () => {
    for (let pass = 0; pass < 2; pass++) gc({ type: 'minor' });
    let old = 0;
    for (const { space_name: name, space_used_size: used } of v8.getHeapSpaceStatistics()) {
      if (!name.startsWith('new_')) old += used;
    }
    process.send(old);
  });
`;

let child: ChildProcess;
let port: number;

before(async () => {
  const args = ['--expose-gc', '-e', program, path.join(subject, 'index.js')];
  // As under Jest: packages that are loaded in the background would count as left behind.
  const env = { ...process.env, JEST_WORKER_ID: '1' };
  child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  port = await told();
});

after(() => child.kill());

async function told(): Promise<number> {
  const [message] = (await once(child, 'message')) as [number];
  return message;
}

async function oldOctets(): Promise<number> {
  const answer = told();
  child.send('old');
  return answer;
}

const rounds = 6000;
const portions = 10;

/** More than the compiler adds meanwhile, less than a function or an object with its own hidden class. */
const most = 200;

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const post =
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n{"a":"HTTP/1.1 2"}';

const cases: readonly { readonly name: string; readonly batch: string; readonly answers: number }[] = [
  { name: 'a request', batch: get, answers: 1 },
  { name: 'requests that arrive together', batch: get + get + get, answers: 3 },
  { name: 'a request with a body', batch: post, answers: 1 },
];

for (const { name, batch, answers } of cases) {
  test(`${name} leaves no per-request garbage in old space`, async () => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    await ask(socket, rounds, { batch, answers });
    const start = await oldOctets();
    for (let portion = 0; portion < portions; portion++) {
      await ask(socket, rounds / portions, { batch, answers });
      await oldOctets();
    }
    const left = ((await oldOctets()) - start) / rounds;
    socket.destroy();
    assert.ok(left < most, `${Math.round(left)} octets got old for each`);
  });
}

/** Sends a batch several times, each after the answers to the one before. */
function ask(socket: net.Socket, times: number, { batch, answers }: { batch: string; answers: number }): Promise<void> {
  return new Promise((resolve) => {
    let left = times;
    let text = '';
    const onData = (chunk: string): void => {
      text += chunk;
      if (text.split('HTTP/1.1 200 OK').length <= answers || !/[!}]$/.test(text)) return;
      text = '';
      left -= 1;
      if (left > 0) socket.write(batch);
      else {
        socket.off('data', onData);
        resolve();
      }
    };
    socket.on('data', onData).write(batch);
  });
}
