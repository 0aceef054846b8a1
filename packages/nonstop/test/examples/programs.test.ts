import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import https = require('node:https');
import { describe, test } from 'node:test';
import { freePort } from '../support/nonstop-command.js';
import { curlLines, noShell, runLine } from './guide-lines.js';
import { copyOf, Program } from './program.js';
import { statusLine, upgrade } from './upgrade.js';

/** The files that the examples start with, without those whose packages are fetched on demand, tracker and production. */
const programs: Readonly<Record<string, string>> = {
  hello: 'app.js',
  'esm-typescript': 'dist/server.js',
  'rest-api': 'app.js',
  uploads: 'app.js',
  sessions: 'app.js',
  websockets: 'app.js',
  sse: 'app.js',
  http2: 'app.js',
  https: 'app.js',
  graceful: 'app.js',
  cluster: 'app.js',
};

const notOnWindows = { skip: process.platform === 'win32' ? 'Windows has no SIGTERM that a program hears' : false };

/** @returns an answer to GET without its body, on a connection that stays open behind it */
function get(address: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false, headers: { Connection: 'keep-alive' } };
    (address.startsWith('https') ? https : http).get(address, options, resolve).on('error', reject);
  });
}

describe('the programs of the examples', () => {
  for (const [name, file] of Object.entries(programs)) {
    test(`${name} prints an address that answers, and says that its port is taken`, async () => {
      const folder = await copyOf(name);
      const program = new Program(folder, file);
      const address = await program.address();
      const answer = await get(address);
      assert.equal(answer.statusCode, 200, address);
      answer.destroy();

      const { port } = new URL(address);
      const second = new Program(folder, file, { PORT: port, HTTPS_PORT: port });
      assert.equal(await second.ended, 1);
      assert.match(second.said, /EADDRINUSE/);
      assert.doesNotMatch(second.said, /TypeError/);
      await program.end('SIGKILL');
    });
  }
});

/** A part of what each line of curl in the guide prints. */
const printed: Readonly<Record<string, readonly RegExp[]>> = {
  hello: [/^Hello World!$/],
  'esm-typescript': [/"title":"Dune"/],
  'rest-api': [/"id":1,"title":"Dune"/],
  uploads: [/"was":"package.json"/],
  sessions: [/Hello, ada/],
  websockets: [],
  sse: [/^Accepted$/],
  http2: [/"protocol":"https"/],
  https: [/"secure":true/],
  graceful: [/^done$/],
  cluster: [/^\{"pid":\d+\}$/, /^bye$/],
};

describe('the lines of curl in the guide', { skip: noShell }, () => {
  for (const [name, file] of Object.entries(programs)) {
    test(`that of ${name}`, async () => {
      const folder = await copyOf(name);
      const ports = { http: await freePort(), https: await freePort() };
      const program = new Program(folder, file, { PORT: String(ports.http), HTTPS_PORT: String(ports.https) });
      await program.address();
      const lines = curlLines(name);
      const expected = printed[name] ?? [];
      assert.equal(lines.length, expected.length);
      for (const [index, line] of lines.entries()) {
        assert.match(await runLine(line, folder, ports), expected[index] ?? /^$/);
      }
      await program.end('SIGKILL');
    });
  }
});

describe('the program of websockets', () => {
  test('answers 403 to an origin that is no address, and serves on', async () => {
    const program = new Program(await copyOf('websockets'), 'app.js');
    const at = await program.address();
    for (const origin of ['null', 'nonsense', 'http://', 'http://evil.example']) {
      const socket = await upgrade(at, '/chat', origin);
      assert.equal(await statusLine(socket), 'HTTP/1.1 403 Forbidden', `${origin}\n${program.said}`);
      socket.destroy();
    }
    const welcome = await upgrade(at, '/chat', at);
    assert.equal(await statusLine(welcome), 'HTTP/1.1 101 Switching Protocols');
    welcome.destroy();
    await program.end('SIGKILL');
  });

  test('serves on when clients that it has refused reset their connections', async () => {
    const program = new Program(await copyOf('websockets'), 'app.js');
    const at = await program.address();
    for (let count = 0; count < 20; count++) {
      const [answered, early] = await Promise.all([upgrade(at, '/nothing'), upgrade(at, '/nothing')]);
      early.resetAndDestroy();
      assert.equal(await statusLine(answered), 'HTTP/1.1 403 Forbidden', program.said);
      answered.resetAndDestroy();
    }
    assert.equal((await get(at)).statusCode, 200);
    await program.end('SIGKILL');
  });
});

describe('programs with event streams, asked to stop', notOnWindows, () => {
  for (const [name, path] of [
    ['sse', '/events'],
    ['http2', '/events'],
  ] as const) {
    test(`${name} ends the stream of a client of HTTP/1.1, and then itself`, async () => {
      const program = new Program(await copyOf(name), 'app.js');
      const feed = await get((await program.address()) + path);
      assert.equal(feed.headers['content-type'], 'text/event-stream; charset=utf-8');
      feed.resume();
      const ended = once(feed, 'end');
      program.child.kill('SIGTERM');
      await ended;
      assert.equal(await program.ended, 0);
    });
  }

  test('http2 ends the stream of a client of HTTP/2 as complete, and then itself', async () => {
    const program = new Program(await copyOf('http2'), 'app.js');
    const session = http2.connect(await program.address(), { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/events' });
    await once(stream, 'response');
    // The notice, and two events after it, would mean that the stream goes on.
    let after = Infinity;
    const goneOn = new Promise<string>((resolve) => {
      session.on('goaway', () => (after = 0));
      stream.on('data', () => {
        if (++after === 2) resolve('events behind the notice');
      });
    });
    const over = once(stream, 'close').then(() => `ended with ${stream.rstCode}`);
    program.child.kill('SIGTERM');
    assert.equal(await Promise.race([over, goneOn]), 'ended with 0');
    session.close();
    assert.equal(await program.ended, 0);
  });
});
