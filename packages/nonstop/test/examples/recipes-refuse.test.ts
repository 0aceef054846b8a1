import assert = require('node:assert/strict');
import { once } from 'node:events';
import fs = require('node:fs');
import type http = require('node:http');
import { isBuiltin } from 'node:module';
import type net = require('node:net');
import path = require('node:path');
import { describe, mock, test } from 'node:test';
import { folder } from '../support/folder.js';
import { address, load, type Listening } from './recipe.js';
import { upgrade } from './upgrade.js';

interface Chat {
  createChat(): { app: Listening; attach(server: http.Server): { close(): void } };
}

const form = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  redirect: 'manual',
});

for (const framework of ['Express', 'Nonstop']) {
  describe(`what recipes refuse, on ${framework}`, () => {
    test('websockets closes a refused connection whose client leaves its half open', async (t) => {
      const { app, attach } = (load('websockets/app.js', framework) as Chat).createChat();
      const server = app.listen(0, '127.0.0.1');
      const at = await address(server, framework);
      const attached = attach(server);
      const accepted = once(server, 'connection');
      const client = await upgrade(at, '/nothing');
      t.after(() => client.destroy());
      const [socket] = (await accepted) as [net.Socket];
      await once(socket, 'close');
      attached.close();
    });

    test('sessions gives a name to one of two that sign up at the same time', async () => {
      const { createApp } = load('sessions/app.js', framework) as { createApp(): Listening };
      const at = await address(createApp().listen(0, '127.0.0.1'), framework);
      const passwords = ['lovelace', 'byron123'];
      const signUp = async (password: string): Promise<number> =>
        (await fetch(`${at}/signup`, form(`name=ada&password=${password}`))).status;
      const statuses = await Promise.all(passwords.map(signUp));
      assert.deepEqual(new Set(statuses), new Set([303, 409]));
      // The password is that of the one who got the name.
      const logIn = async (password: string): Promise<number> =>
        (await fetch(`${at}/login`, form(`name=ada&password=${password}`))).status;
      assert.deepEqual(
        await Promise.all(passwords.map(logIn)),
        statuses.map((status) => (status === 303 ? 303 : 401)),
      );
    });

    test('sessions says which letters a name may have', async () => {
      const { createApp } = load('sessions/app.js', framework) as { createApp(): Listening };
      const at = await address(createApp().listen(0, '127.0.0.1'), framework);
      const answer = await fetch(`${at}/signup`, form('name=Ada&password=lovelace'));
      assert.equal(answer.status, 422);
      assert.equal(await answer.text(), 'a name of 2 to 20 small letters, a to z');
    });

    test('uploads does not tell the path of a missing file', async () => {
      const root = folder({});
      const { createApp } = load('uploads/app.js', framework) as { createApp(options: object): Listening };
      const at = await address(createApp({ folder: root }).listen(0, '127.0.0.1'), framework);
      const answer = await fetch(`${at}/files/nothing`);
      assert.equal(answer.status, 404);
      assert.deepEqual(await answer.json(), { error: 'Not Found' });
    });

    test('uploads answers 400 to a body that is not a form with files', async () => {
      const { createApp } = load('uploads/app.js', framework) as { createApp(options: object): Listening };
      const at = await address(createApp({ folder: folder({}) }).listen(0, '127.0.0.1'), framework);
      const part =
        '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\nContent-Type: text/plain\r\n\r\nhello';
      const bodies = [
        [undefined, undefined, /^send files in the field/],
        ['application/json', '{}', /^send files in the field/],
        ['multipart/form-data; boundary=x', '--x--\r\n', /^send files in the field/],
        ['multipart/form-data', part, /^the form cannot be read: .*Boundary not found/],
        ['multipart/form-data; boundary=x', part, /^the form cannot be read: Unexpected end of form/],
        [
          'multipart/form-data; boundary=x',
          `${part.replace('files', 'others')}\r\n--x--\r\n`,
          /^Unexpected file field/,
        ],
      ] as const;
      for (const [type, body, error] of bodies) {
        const headers = new Headers(type === undefined ? {} : { 'Content-Type': type });
        const answer = await fetch(`${at}/files`, { method: 'POST', headers, body });
        assert.equal(answer.status, 400, `${type}`);
        assert.match(((await answer.json()) as { error: string }).error, error);
      }
    });

    test('uploads logs what is its own fault', async () => {
      const root = folder({});
      const { createApp } = load('uploads/app.js', framework) as { createApp(options: object): Listening };
      const at = await address(createApp({ folder: root }).listen(0, '127.0.0.1'), framework);
      fs.rmSync(root, { recursive: true });
      const log = mock.method(console, 'error', () => undefined);
      const answer = await fetch(`${at}/files`);
      log.mock.restore();
      assert.equal(answer.status, 500);
      const logged = log.mock.calls.map((call) => (call.arguments as unknown[])[0] as NodeJS.ErrnoException);
      assert.deepEqual(
        logged.map(({ code }) => code),
        ['ENOENT'],
      );
      assert.deepEqual(await answer.json(), { error: 'Internal Server Error' });
    });

    test('sse answers 415 to an event that is no text', async () => {
      const { createApp } = load('sse/app.js', framework) as { createApp(): Listening };
      const app = createApp();
      const at = await address(app.listen(0, '127.0.0.1'), framework);
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${at}/events`, { method: 'POST', headers, body: '{}' });
      assert.equal(answer.status, 415);
      assert.match(await answer.text(), /Content-Type: text\/plain/);
      app.locals.endFeeds?.();
      // A feed that begins then ends at once, with the kept events: none.
      assert.equal(await (await fetch(`${at}/events`)).text(), '');
    });
  });
}

test('rest-api says that it keeps books in memory if its Node has no SQLite', () => {
  const { openStore } = load('rest-api/store.js', 'Nonstop') as { openStore(file: string): { close(): void } };
  const log = mock.method(console, 'warn', () => undefined);
  openStore(':memory:').close();
  openStore(path.join(folder({}), 'books.db')).close();
  log.mock.restore();
  const lines = log.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
  assert.equal(lines.length, isBuiltin('node:sqlite') ? 0 : 1);
  for (const line of lines) assert.match(line, /no node:sqlite: books are kept in memory and lost at the end/);
});
