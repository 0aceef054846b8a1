import assert = require('node:assert/strict');
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import type http = require('node:http');
import https = require('node:https');
import type net = require('node:net');
import path = require('node:path');
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { certificate } from '../support/certificate.js';
import { folder } from '../support/folder.js';
import { inRepo } from '../support/paths.js';
import { served } from '../support/served.js';
import { address, json, load, type Listening } from './recipe.js';

const run = promisify(execFile);

for (const framework of ['Express', 'Nonstop']) {
  describe(`recipes on ${framework}`, () => {
    test('hello answers', async () => {
      const at = await address((load('hello/app.js', framework) as Listening).listen(0, '127.0.0.1'), framework);
      assert.equal(await (await fetch(at)).text(), 'Hello World!');
    });

    test('rest-api adds, lists, changes and removes books, and refuses invalid input', async () => {
      const { openStore } = load('rest-api/store.js', framework) as { openStore(file: string): { close(): void } };
      const store = openStore(':memory:');
      const { createApp } = load('rest-api/app.js', framework) as { createApp(options: object): Listening };
      const at = `${await address(createApp({ store }).listen(0, '127.0.0.1'), framework)}/books`;

      const added = await fetch(at, json({ title: 'Dune', author: 'Frank Herbert' }));
      assert.equal(added.status, 201);
      assert.equal(added.headers.get('Location'), '/books/1');
      const tag = added.headers.get('ETag') ?? '';
      assert.deepEqual(await added.json(), { id: 1, title: 'Dune', author: 'Frank Herbert', version: 1 });
      assert.equal(
        (await fetch(`${at}/1`, { headers: { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' } })).status,
        304,
      );

      const change = (ifMatch?: string): Promise<Response> =>
        fetch(`${at}/1`, {
          ...json({ title: 'Dune', author: 'F. Herbert' }),
          method: 'PUT',
          headers: { 'Content-Type': 'application/json', ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }) },
        });
      assert.equal((await change()).status, 428);
      assert.equal((await change(tag)).status, 200);
      assert.equal((await change(tag)).status, 412);

      assert.deepEqual(await (await fetch(at, json({ title: '' }))).json(), {
        error: 'title has to be a text of 1 to 200 characters',
      });
      assert.equal((await fetch(at, json({ title: 'a', author: 'b', admin: true }))).status, 422);
      assert.equal((await fetch(at, { ...json({}), body: '{' })).status, 400);
      assert.equal((await fetch(`${at}/2`)).status, 404);
      assert.equal((await fetch(`${at}?after=x`)).status, 400);

      for (let count = 2; count <= 22; count++) await fetch(at, json({ title: `book ${count}`, author: 'somebody' }));
      const first = await fetch(at);
      assert.equal(((await first.json()) as unknown[]).length, 20);
      assert.equal(first.headers.get('Link'), '</books?after=20>; rel="next"');
      assert.equal(((await (await fetch(`${at}?after=20`)).json()) as unknown[]).length, 2);

      assert.equal((await fetch(`${at}/1`, { method: 'DELETE' })).status, 204);
      assert.equal((await fetch(`${at}/1`)).status, 404);
      store.close();
    });

    test('uploads takes files, and refuses other types and large ones', async () => {
      const root = folder({});
      const { createApp } = load('uploads/app.js', framework) as { createApp(options: object): Listening };
      const at = await address(createApp({ folder: root }).listen(0, '127.0.0.1'), framework);
      const send = (content: string, type: string): Promise<Response> => {
        const form = new FormData();
        form.append('files', new Blob([content], { type }), '../../notes.txt');
        return fetch(`${at}/files`, { method: 'POST', body: form });
      };
      const taken = await send('some notes', 'text/plain');
      assert.equal(taken.status, 201);
      const [file] = (await taken.json()) as { name: string; size: number }[];
      assert.match(file?.name ?? '', /^[0-9a-f-]{36}\.txt$/);
      assert.equal(file?.size, 10);
      const back = await fetch(`${at}/files/${file?.name}`);
      assert.equal(back.headers.get('Content-Disposition')?.startsWith('attachment'), true);
      assert.equal(await back.text(), 'some notes');
      assert.equal((await send('<script>', 'text/html')).status, 415);
      assert.equal((await send('x'.repeat(1_000_001), 'text/plain')).status, 413);
      assert.deepEqual(await (await fetch(`${at}/files`)).json(), [file?.name]);
      assert.equal((await fetch(`${at}/files/..%2f..%2fpackage.json`)).status, 403);
    });

    test('sessions signs up, logs in and out, and refuses forms of other sites', async () => {
      const { createApp } = load('sessions/app.js', framework) as { createApp(): Listening };
      const at = await address(createApp().listen(0, '127.0.0.1'), framework);
      let cookie = '';
      const send = async (where: string, body?: string, fields: Record<string, string> = {}): Promise<Response> => {
        const headers = {
          'Content-Type': 'application/x-www-form-urlencoded',
          ...(cookie ? { Cookie: cookie } : {}),
          ...fields,
        };
        const options: RequestInit = body === undefined ? { headers } : { method: 'POST', body, headers };
        const answer = await fetch(at + where, { ...options, redirect: 'manual' });
        cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? cookie;
        return answer;
      };
      assert.equal((await send('/signup', 'name=ada&password=short')).status, 422);
      assert.equal((await send('/signup', 'name=ada&password=lovelace')).status, 303);
      const before = cookie;
      assert.match(await (await send('/')).text(), /Hello, ada/);
      assert.equal((await send('/logout', '')).status, 303);
      assert.match(await (await send('/')).text(), /login/);
      assert.equal((await send('/login', 'name=ada&password=byron123')).status, 401);
      assert.equal((await send('/login', 'name=nobody&password=lovelace')).status, 401);
      assert.equal((await send('/login', 'name=ada&password=lovelace')).status, 303);
      assert.notEqual(cookie, before);
      assert.equal((await send('/logout', '', { Origin: 'http://evil.example' })).status, 403);
    });

    test('websockets sends a message to all clients, and refuses pages of other sites', async () => {
      interface Socket {
        send(text: string): void;
        terminate(): void;
      }
      const { WebSocket } = require(require.resolve('ws', { paths: [inRepo('examples/websockets')] })) as {
        WebSocket: new (url: string, options?: object) => Socket & NodeJS.EventEmitter;
      };
      const { createChat } = load('websockets/app.js', framework) as {
        createChat(): { app: Listening; attach(server: http.Server): { close(): void } };
      };
      const { app, attach } = createChat();
      const server = app.listen(0, '127.0.0.1');
      const at = await address(server, framework);
      const chat = attach(server);
      const url = `${at.replace('http', 'ws')}/chat`;
      const [one, other] = [new WebSocket(url), new WebSocket(url)];
      await Promise.all([once(one, 'open'), once(other, 'open')]);
      const heard = once(other, 'message');
      one.send('hello');
      assert.equal(String((await heard)[0]), '{"text":"hello"}');
      const stranger = new WebSocket(url, { origin: 'http://evil.example' });
      const [error] = (await once(stranger, 'error')) as [Error];
      assert.match(error.message, /403/);
      assert.equal((await fetch(at)).status, 200);
      one.terminate();
      other.terminate();
      chat.close();
    });

    test('sse sends events, and the missed ones after a reconnect', async () => {
      const { createApp } = load('sse/app.js', framework) as { createApp(): Listening };
      const app = createApp();
      const at = await address(app.listen(0, '127.0.0.1'), framework);
      const say = (body: string): Promise<Response> =>
        fetch(`${at}/events`, { method: 'POST', body, headers: { 'Content-Type': 'text/plain' } });
      await say('one');
      const feed = await fetch(`${at}/events`, { headers: { 'Last-Event-ID': '0' } });
      const reader = (feed.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const until = async (part: string): Promise<void> => {
        while (!text.includes(part)) text += (await reader.read()).value ?? '';
      };
      await until('"one"');
      await say('two');
      await until('"two"');
      assert.match(text, /^id: \d+\ndata: {"text":"one"}\n\nid: \d+\ndata: {"text":"two"}\n\n$/);
      const [first = 0, second] = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      assert.equal(second, first + 1);
      app.locals.endFeeds?.();
      assert.equal((await reader.read()).done, true);
    });

    test('sse sends the events since a restart to a client of the process before', async () => {
      const { createApp } = load('sse/app.js', framework) as { createApp(): Listening };
      const ask = async (id: string): Promise<string> => {
        const app = createApp();
        const at = await address(app.listen(0, '127.0.0.1'), framework);
        await fetch(`${at}/events`, { method: 'POST', body: 'new', headers: { 'Content-Type': 'text/plain' } });
        app.locals.endFeeds?.();
        return await (await fetch(`${at}/events`, { headers: { 'Last-Event-ID': id } })).text();
      };
      const [, before = ''] = /^id: (\d+)/.exec(await ask('0')) ?? [];
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.match(await ask(before), /"new"/);
    });

    test('https redirects to itself, and answers there', async () => {
      const { createServers } = load('https/app.js', framework) as {
        createServers(tls: object, site: string): { secure: https.Server; plain: http.Server };
      };
      const { secure, plain } = createServers(certificate(), 'example.com');
      await address(secure.listen(0, '127.0.0.1'));
      const at = await address(plain.listen(0, '127.0.0.1'));
      const { port } = secure.address() as net.AddressInfo;
      const sent = await fetch(`${at}/a?b=c`, { redirect: 'manual' });
      assert.equal(sent.status, 308);
      assert.equal(sent.headers.get('Location'), `https://example.com:${port}/a?b=c`);
      const answer = await new Promise<http.IncomingMessage>((resolve, reject) =>
        https.get({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false }, resolve).on('error', reject),
      );
      let text = '';
      for await (const part of answer) text += String(part);
      assert.deepEqual(JSON.parse(text), { protocol: 'https', secure: true, tls: 'TLSv1.3' });
    });

    test('graceful reports that it is not ready, and finishes the requests under way', async () => {
      const { serve } = load('graceful/app.js', framework) as {
        serve(options: object): { server: http.Server; stop(): Promise<void> };
      };
      const { server, stop } = serve({ port: 0, host: '127.0.0.1', notReadyMs: 1000 });
      const at = await address(server, framework);
      assert.equal((await fetch(`${at}/ready`)).status, 200);
      const slow = fetch(`${at}/slow/200`);
      await once(server, 'request');
      const stopped = stop();
      const ready = await fetch(`${at}/ready`);
      assert.equal(ready.status, 503);
      assert.equal(ready.headers.get('Connection'), 'close');
      assert.equal((await fetch(`${at}/alive`)).status, 200);
      assert.equal(await (await slow).text(), 'done');
      await stopped;
      assert.equal(server.listening, false);
    });
  });
}

test('the engine served the recipes on Nonstop', () => {
  assert.ok(served().engine > 50);
  assert.equal(served()['node:http'], 0);
});

test('cluster serves with several processes, and replaces one that ends', async () => {
  const program = `
    const cluster = require('node:cluster');
    const { serve, supervise } = require(${JSON.stringify(inRepo('examples/cluster/app.js'))});
    if (cluster.isPrimary) {
      const stop = supervise({ workers: 2, file: __filename });
      cluster.on('listening', (worker, { port }) => process.send({ pid: worker.process.pid, port }));
      process.on('message', stop);
      process.on('disconnect', () => process.exit());
    } else serve({ port: 0, host: '127.0.0.1' });`;
  const file = path.join(folder({ 'cluster.cjs': program }), 'cluster.cjs');
  const child = fork(file, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  after(() => child.kill('SIGKILL'));
  type Told = { pid: number; port: number };
  const told: Told[] = [];
  let heard = (): void => {};
  child.on('message', (message: Told) => {
    told.push(message);
    heard();
  });
  const listening = async (count: number): Promise<void> => {
    while (told.length < count) await new Promise<void>((resolve) => (heard = resolve));
  };
  await listening(2);
  const at = `http://127.0.0.1:${told[0]?.port}`;
  const { pid } = (await (await fetch(at, { headers: { Connection: 'close' } })).json()) as { pid: number };
  assert.ok(told.some((message) => message.pid === pid));
  assert.equal(await (await fetch(`${at}/crash`, { headers: { Connection: 'close' } })).text(), 'bye');
  await listening(3);
  assert.equal((await fetch(at, { headers: { Connection: 'close' } })).status, 200);
  const ended = once(child, 'exit');
  child.send('stop');
  child.disconnect();
  await ended;
});

test('esm-typescript compiles and answers', async () => {
  const out = inRepo('.build', 'recipes', `esm-${process.pid}`);
  const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', inRepo('examples/esm-typescript'), '--outDir', out]).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
  after(() => fs.rmSync(out, { recursive: true, force: true }));
  fs.writeFileSync(path.join(out, 'package.json'), '{ "type": "module" }');
  const { createApp } = (await import(path.join(out, 'app.js'))) as { createApp(): Listening };
  const at = await address(createApp().listen(0, '127.0.0.1'), 'Nonstop');
  assert.deepEqual(await (await fetch(`${at}/books/1`)).json(), { id: 1, title: 'Dune' });
  assert.equal((await fetch(`${at}/books`, json({ title: 'Emma' }))).status, 201);
  assert.deepEqual(await (await fetch(`${at}/books`, json({}))).json(), { error: 'a book has a title' });
  assert.equal((await fetch(`${at}/books/9`)).status, 404);
});
