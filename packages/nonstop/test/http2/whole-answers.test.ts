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
    assert.deepEqual([res.headersSent, res.writableEnded, res.writableFinished], [true, true, false]);
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
  test(`an answer ${listens ? 'with' : 'without'} listeners that is reset behind a shut window is not finished`, async () => {
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
