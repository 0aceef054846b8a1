import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import type net = require('node:net');
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { answerOf, ask } from '../support/http2-client.js';
import { serve } from '../support/http2-server.js';
import { runProgram } from '../support/run-program.js';
import { compiled } from '../support/paths.js';
import { subject } from '../support/subject.js';

/** A client opens all windows and does not read, until the memory of the closed streams was collected. */
const SLOWLY_READ = `
  const net = require('node:net');
  const http2 = require('node:http2');
  const server = require(process.argv[1]).createServer((_req, res) => res.end(Buffer.alloc(60_000, 'x')));
  const { frame } = require(process.argv[2]);
  const settings = http2.getPackedSettings({ initialWindowSize: 2 ** 31 - 1 });
  const window = Buffer.from([0x7f, 0xff, 0, 0]);
  // GET / by the static table of HPACK.
  const get = Buffer.from([0x82, 0x84, 0x86, 0x41, 1, 97]);
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1').on('error', () => undefined);
    const parts = [Buffer.from('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n'), frame(4, 0, 0, settings), frame(8, 0, 0, window)];
    for (let i = 0; i < 120; i++) parts.push(frame(1, 5, 2 * i + 1, get));
    client.write(Buffer.concat(parts));
    let turns = 0;
    const others = [];
    const turn = () => {
      gc();
      // Takes the memory of bodies that were collected too early.
      for (let i = 0; i < 10; i++) others.push(Buffer.alloc(60_000, 'y'));
      if (++turns < 50) {
        setImmediate(turn);
        return;
      }
      let octets = 0;
      client.on('data', (data) => {
        for (const octet of data) if (octet === 120) octets++;
        if (octets < 120 * 60_000) return;
        console.log('served');
        process.exit();
      });
      setTimeout(() => process.exit(), 10_000);
    };
    setTimeout(turn, 50);
  });
`;

/** Notes the events of a request and its response, in order. */
function eventsOf(req: http.IncomingMessage, res: http.ServerResponse, events: string[]): void {
  for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => events.push(event));
  req.on('aborted', () => events.push('aborted')).on('error', () => events.push('error'));
}

/** Waits until the other side has handled everything that was sent before. */
async function settle(session: http2.Http2Session): Promise<void> {
  await new Promise((resolve) => session.ping(resolve));
}

/** @returns what node:http calls for an answer, in its order */
async function nodesOrder(): Promise<string[]> {
  const events: string[] = [];
  const server = http.createServer((req, res) => {
    eventsOf(req, res, events);
    res.end('whole', () => events.push('callback'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => http.get({ port, agent: false }, (res) => res.resume().on('close', resolve)));
  const closed = once(server, 'close');
  server.close();
  await closed;
  return events;
}

test('an answer finishes, then closes', async () => {
  const events: string[] = [];
  let closed: Promise<unknown> | undefined;
  const { session, close } = await serve((req, res) => {
    eventsOf(req, res, events);
    closed = once(res, 'close');
    res.end('whole', () => events.push('callback'));
    const { _headerSent } = res as unknown as { _headerSent: boolean };
    assert.deepEqual(
      [res.headersSent, _headerSent, res.writableEnded, res.writableFinished],
      [true, true, true, false],
    );
  });
  await ask(session, { headers: {} });
  await closed;
  await close();
  assert.deepEqual(events, await nodesOrder());
});

test('an answer without listeners finishes and closes as well', async () => {
  let answered: http.ServerResponse | undefined;
  const { session, close } = await serve((_req, res) => {
    answered = res;
    res.end('whole');
  });
  await ask(session, { headers: {} });
  await close();
  assert.deepEqual([answered!.writableFinished, answered!.closed, answered!.destroyed], [true, true, true]);
});

test('an answer is not finished while the window of its stream is shut', async () => {
  const events: string[] = [];
  let response: http.ServerResponse | undefined;
  const { session, close } = await serve((req, res) => {
    response = res;
    eventsOf(req, res, events);
    res.end('whole');
  });
  session.settings({ initialWindowSize: 0 });
  await once(session, 'localSettings');
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  await settle(session);
  assert.deepEqual(events, ['prefinish'], 'which node:http emits in end() too');
  session.settings({ initialWindowSize: 100 });
  const answer = await answerOf(stream);
  assert.equal(answer.body.toString(), 'whole');
  if (!response!.closed) await once(response!, 'close');
  assert.deepEqual(events, ['prefinish', 'finish', 'close']);
  await close();
});

for (const listens of [true, false]) {
  test(`an answer ${listens ? 'with' : 'without'} listeners that is reset while its window is shut is not finished`, async () => {
    const events: string[] = [];
    let request: http.IncomingMessage | undefined;
    let response: http.ServerResponse | undefined;
    const { session, close } = await serve((req, res) => {
      [request, response] = [req, res];
      if (listens) eventsOf(req, res, events);
      res.end('whole');
    });
    session.settings({ initialWindowSize: 0 });
    await once(session, 'localSettings');
    const stream = session.request({ ':path': '/' });
    await once(stream, 'response');
    stream.close(http2.constants.NGHTTP2_CANCEL);
    while (!response!.closed || !request!.destroyed) await wait(1);
    assert.equal(response!.writableFinished, false);
    assert.equal(request!.aborted, true);
    if (listens) assert.deepEqual([...events].sort(), ['aborted', 'close', 'error', 'prefinish']);
    await close();
  });
}

test('listeners for the finish of an answer have the async context of its end()', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { session, close } = await serve((req, res) => {
    storage.run(req.url!, () => {
      res.once('finish', () => seen.push(storage.getStore()));
      res.end('x');
    });
  });
  await Promise.all(['/1', '/2', '/3'].map(async (path) => await ask(session, { headers: { ':path': path } })));
  await close();
  assert.deepEqual(seen.map(String).toSorted(), ['/1', '/2', '/3']);
});

test('answers that a slow client reads after their streams have closed are whole, and do not end the process', async () => {
  const { stdout, stderr } = await runProgram({
    text: SLOWLY_READ,
    args: [`${subject}/http2.js`, compiled('test/support/raw-http2.js')],
    flags: ['--expose-gc'],
  });
  assert.deepEqual([stdout.trim(), stderr], ['served', '']);
});
