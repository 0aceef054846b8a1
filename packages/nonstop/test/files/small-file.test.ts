import assert = require('node:assert/strict');
import { EventEmitter } from 'node:events';
import fs = require('node:fs');
import path = require('node:path');
import { test } from 'node:test';
import { kAsciiHead } from '../../src/core/shortcuts.js';
import { answerWithoutStream } from '../../src/files/small-file.js';
import { folder as folderOf } from '../support/folder.js';
import { repoRoot } from '../support/paths.js';
import { asking, runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

const folder = folderOf({ 'letters.txt': 'abcdefghij' });
const file = path.join(folder, 'letters.txt');

/** The object that `send` would pass on, with a response that notes its calls. */
class Handover extends EventEmitter {
  readonly calls: unknown[] = [];
  readonly res = Object.assign(Object.create(new EventEmitter()) as EventEmitter, {
    destroyed: false,
    writableEnded: false,
  });
  readonly settled: Promise<void>;
  onStatError!: (error: NodeJS.ErrnoException) => void;

  constructor() {
    super();
    this.settled = new Promise((resolve) => {
      this.onStatError = (error) => {
        this.calls.push(['error', error.code]);
        resolve();
      };
      this.on('end', () => {
        this.calls.push('end');
        resolve();
      });
      this.on('stream', () => this.calls.push('stream'));
    });
    // On a prototype that is known as the engine's: methods in front of it would be a program's.
    Object.assign(Object.getPrototypeOf(this.res) as object, {
      [kAsciiHead]: true,
      write: () => true,
      end: (content: Buffer) => this.calls.push(['res.end', content.toString()]),
      getHeader: () => undefined,
    });
    answerWithoutStream(this, true);
  }

  stream(name: string, range: object): void {
    this.calls.push(['piped', path.basename(name), range]);
  }
}

const cases: Record<string, readonly [range: object, calls: readonly unknown[]]> = {
  'all of it': [{ start: 0, end: 9 }, ['stream', ['res.end', 'abcdefghij'], 'end']],
  'a range': [{ start: 2, end: 4 }, ['stream', ['res.end', 'cde'], 'end']],
  'as much as there is, where there is less than was said': [
    { start: 7, end: 40 },
    ['stream', ['res.end', 'hij'], 'end'],
  ],
  'nothing, where nothing is left': [{ start: 20, end: 29 }, ['stream', ['res.end', ''], 'end']],
  'up to 64 KiB': [{ start: 0, end: 65_535 }, ['stream', ['res.end', 'abcdefghij'], 'end']],
};
for (const [name, [range, calls]] of Object.entries(cases)) {
  test(`answers with ${name}`, async () => {
    const handover = new Handover();
    handover.stream(file, range);
    await handover.settled;
    assert.deepEqual(handover.calls, calls);
  });
}

/** The facts that `send` found; they may no longer be true when the file is read. */
const found: Record<string, readonly [name: string, stat: Partial<fs.Stats>, end: number, calls: readonly unknown[]]> =
  {
    'a file that is as it was found': [file, { size: 10 }, 9, ['stream', ['res.end', 'abcdefghij'], 'end']],
    'no more than was found of one that has grown': [file, { size: 4 }, 3, ['stream', ['res.end', 'abcd'], 'end']],
    'less of one that has shrunk': [file, { size: 40 }, 39, ['stream', ['res.end', 'abcdefghij'], 'end']],
    'an error for one that has gone': [path.join(folder, 'none'), { size: 1 }, 0, ['stream', ['error', 'ENOENT']]],
    'an error for one that is a folder now': [folder, { size: 1 }, 0, ['stream', ['error', 'EISDIR']]],
  };
for (const [name, [path, stat, end, calls]] of Object.entries(found)) {
  test(`answers with ${name}`, async () => {
    const handover = new Handover();
    handover.emit('file', path, { isFile: () => true, ...stat });
    handover.stream(path, { start: 0, end });
    await handover.settled;
    assert.deepEqual(handover.calls, calls);
  });
}

const device = process.platform === 'win32' ? 'Windows has no /dev/zero' : false;
test('does not read a file to its end that is not a regular file', { skip: device }, async () => {
  const handover = new Handover();
  handover.emit('file', '/dev/zero', Object.assign(fs.statSync('/dev/zero'), { size: 1 }));
  handover.stream('/dev/zero', { start: 0, end: 0 });
  await handover.settled;
  assert.deepEqual(handover.calls, ['stream', ['res.end', '\0'], 'end']);
});

test('passes an error of the file system to send', async () => {
  const handover = new Handover();
  handover.stream(path.join(folder, 'none'), { start: 0, end: 9 });
  await handover.settled;
  assert.deepEqual(handover.calls, ['stream', ['error', 'ENOENT']]);
});

test('passes an error of reading to send', async () => {
  const handover = new Handover();
  handover.stream(folder, { start: 0, end: 9 });
  await handover.settled;
  assert.deepEqual(handover.calls, ['stream', ['error', 'EISDIR']]);
});

test('does not write to a response that was ended or destroyed during the read', async () => {
  for (const state of ['destroyed', 'writableEnded'] as const) {
    const handover = new Handover();
    handover.stream(file, { start: 0, end: 9 });
    handover.res[state] = true;
    // The read has three steps in the thread pool; four such operations take at least as long.
    for (let i = 0; i < 4; i++) await fs.promises.stat(file);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(handover.calls, ['stream'], state);
  }
});

const piped: Record<string, (handover: Handover) => object> = {
  'more than 64 KiB while it waits for its turn': ({ res }) =>
    Object.assign(res, { socket: null }) && { start: 0, end: 65_536 },
  'a start that is no position': () => ({ start: -1, end: 4 }),
  'a start that is a fraction': () => ({ start: 1.5, end: 4 }),
  'an end that is no number': () => ({ start: 0, end: Number.NaN }),
  'an option of the stream': () => ({ start: 0, end: 9, highWaterMark: 3 }),
  'a wrapped end()': ({ res }) => Object.assign(res, { end: () => undefined }) && { start: 0, end: 9 },
  'a wrapped write()': ({ res }) => Object.assign(res, { write: () => true }) && { start: 0, end: 9 },
  'a write() of a prototype in front of its class': ({ res }) => {
    const prototype = Object.create(Object.getPrototypeOf(res) as object) as object;
    Object.setPrototypeOf(res, Object.assign(prototype, { write: () => true }));
    return { start: 0, end: 9 };
  },
  'a class of responses that is not known': ({ res }) => {
    Object.setPrototypeOf(res, Object.assign(new EventEmitter(), { write: () => true, getHeader: () => undefined }));
    return { start: 0, end: 9 };
  },
  'a listener of pipes': ({ res }) => res.on('pipe', () => undefined) && { start: 0, end: 9 },
  'an emit() of a program': ({ res }) => Object.assign(res, { emit: () => true }) && { start: 0, end: 9 },
  'a listener of their ends': ({ res }) => res.on('unpipe', () => undefined) && { start: 0, end: 9 },
};
for (const [name, prepare] of Object.entries(piped)) {
  test(`leaves it to send to pipe the file, with ${name}`, () => {
    const handover = new Handover();
    const range = prepare(handover);
    handover.stream(file, range);
    assert.deepEqual(handover.calls, [['piped', 'letters.txt', range]]);
  });
}

/** Prints which methods of node's responses are called for files, if they were replaced before the framework was loaded. */
const counting = `${asking}
const [file, owner] = process.argv.slice(1);
const methods = require('node:http')[owner].prototype;
let calls = [];
for (const name of ['write', 'end']) {
  const original = methods[name];
  methods[name] = function (...args) {
    // Not of the client's request.
    if ('statusCode' in this) calls.push(name + ' ' + (args[0] ? args[0].length : 0));
    return original.apply(this, args);
  };
}
const express = require(file);
const app = express();
app.use(express.static(${JSON.stringify(repoRoot)}));
app.get('/sent', (req, res) => res.sendFile('LICENSE', { root: ${JSON.stringify(repoRoot)} }));
const server = app.listen(0, '127.0.0.1');
(async () => {
  for (const path of ['/LICENSE', '/LICENSE', '/sent', '/sent']) {
    const { status } = await ask(server, { path });
    console.log(path, status, calls.join());
    calls = [];
  }
  server.close();
})();`;

for (const owner of ['OutgoingMessage', 'ServerResponse']) {
  test(`methods of ${owner} that were replaced before the framework was loaded are called for a file as on Express`, async () => {
    const called = async (file: string): Promise<string> =>
      (await runProgram({ text: counting, args: [file, owner] })).stdout;
    const expected = await called('express');
    assert.match(expected, /200 write \d{4}/);
    assert.equal(await called(path.join(subject, 'index.js')), expected);
  });
}

/** Prints what files are sent as when a program has put its own stream behind `fs.createReadStream()`. */
const streaming = `${asking}
const fs = require('node:fs');
const [file, folder, when] = process.argv.slice(1);
const replace = () => {
  const { createReadStream } = fs;
  fs.createReadStream = (...args) => {
    console.log('stream', args[1].start, args[1].end);
    const change = new (require('node:stream').Transform)({
      transform: (chunk, _, done) => done(null, Buffer.from(String(chunk).toUpperCase())),
    });
    return createReadStream(...args).pipe(change);
  };
};
if (when === 'before') replace();
const express = require(file);
const app = express();
app.use(express.static(folder));
app.get('/sent', (req, res) => res.sendFile('letters.txt', { root: folder }));
const server = app.listen(0, '127.0.0.1');
(async () => {
  await ask(server, { path: '/letters.txt' });
  if (when === 'later') replace();
  for (const path of ['/letters.txt', '/letters.txt', '/sent', '/sent']) console.log(path, (await ask(server, { path })).body);
  console.log((await ask(server, { path: '/letters.txt', headers: { Range: 'bytes=1-3' } })).body);
  server.close();
})();`;

for (const when of ['before', 'later']) {
  test(`fs.createReadStream() that was replaced ${when} is called for small files as on Express`, async () => {
    const sent = async (file: string): Promise<string> =>
      (await runProgram({ text: streaming, args: [file, folder, when] })).stdout;
    const expected = await sent('express');
    assert.match(expected, /ABCDEFGH/);
    assert.equal(await sent(path.join(subject, 'index.js')), expected);
  });
}

/** Prints how often files are read when the functions for that were replaced before the framework was loaded. */
const reading = `${asking}
const fs = require('node:fs');
let reads = 0;
for (const name of ['open', 'readFile']) {
  const original = fs[name];
  fs[name] = function (...args) {
    if (String(args[0]).endsWith('LICENSE')) reads++;
    return original.apply(this, args);
  };
}
const express = require(process.argv[1]);
const app = express();
app.use(express.static(${JSON.stringify(repoRoot)}));
const server = app.listen(0, '127.0.0.1');
(async () => {
  for (let request = 0; request < 4; request++) await ask(server, { path: '/LICENSE' });
  console.log(reads);
  server.close();
})();`;

test('functions of fs that were replaced before the framework was loaded are called for each file', async () => {
  const reads = async (file: string): Promise<string> =>
    (await runProgram({ text: reading, args: [file] })).stdout.trim();
  assert.equal(await reads('express'), '4');
  assert.equal(await reads(path.join(subject, 'index.js')), '4');
});
