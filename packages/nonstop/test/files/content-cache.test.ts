import assert = require('node:assert/strict');
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import fs = require('node:fs');
import http = require('node:http');
import http2 = require('node:http2');
import net = require('node:net');
import type express from 'express';
import path = require('node:path');
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { eachAsExpress, request, type Build, type Case } from '../support/beside-express.js';
import { folder } from '../support/folder.js';
import { End } from '../support/in-memory.js';
import { nonstop } from '../support/subject.js';
import { keepFile, keptFile as keptFileOf, keptSoFar } from '../../src/files/content-cache.js';

const contents = {
  'index.html': '<p>index</p>',
  'note.txt': 'a note\n',
  'sub/other.css': 'a{}',
  'no-extension': 'what is it',
  'empty.txt': '',
  'small.bin': 's'.repeat(65_536),
  'same-size.txt': 'one',
  'renamed.txt': 'one',
  'removed.txt': 'one',
  'opened.txt': 'one',
  'spoilt.txt': 'one',
  'led.txt': 'one',
  'elsewhere.txt': 'two',
};
const root = folder(contents);

/** Files that the tests ask for first. */
const UNASKED = new Set(['spoilt.txt', 'led.txt']);

/** Only Linux tells of which type a file system is, so elsewhere nothing is kept. */
const elsewhere = process.platform === 'linux' ? false : 'the type of a file system is known on Linux only';

let server: http.Server;

const ask = async (file: string): Promise<string> => {
  const { port } = server.address() as net.AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/${file}`);
  return `${answer.status} ${await answer.text()}`;
};

/**
 * How many requests to the thread pool of the file system an action makes: the fewest of several tries, because the process has others of its
 * own now and then (coverage, reports).
 */
async function operations(act: () => Promise<unknown>): Promise<number> {
  let fewest = Infinity;
  for (let tries = 0; tries < 10; tries++) {
    let count = 0;
    const hook = createHook({ init: (_, type) => void (type === 'FSREQCALLBACK' && count++) }).enable();
    try {
      await act();
    } finally {
      hook.disable();
    }
    fewest = Math.min(fewest, count);
  }
  return fewest;
}

/** Its `end` is replaced when the fields are set, and writes to the octets that it is given. */
const spoils: express.RequestHandler = (req, res, next) => {
  const { setHeader, end } = res;
  if (!('spoil' in req.query)) return next();
  res.setHeader = function (this: typeof res, name: string, value: string) {
    this.end = function (this: typeof res, ...args: unknown[]) {
      (args[0] as Buffer).fill('!');
      return end.apply(this, args as never);
    } as typeof end;
    return setHeader.call(this, name, value);
  } as typeof setHeader;
  return next();
};

before(async () => {
  const app = nonstop();
  app.use(spoils as never);
  app.use(nonstop.static(root));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A file that changed less than two seconds ago is not kept.
  await wait(2100);
  // The first request for a device asks for the type of its file system, the second one keeps the file.
  await ask('index.html');
  for (const file of Object.keys(contents)) if (!UNASKED.has(file)) await ask(file);
  // The same for the module by itself, which is another copy when the published files are tested.
  keepFile(path.join(root, 'note.txt'), statOf(1), Buffer.from('x'), Date.now());
  await wait(50);
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const serving =
  (options?: object): Build =>
  (app, kit) => {
    app.use(kit.static(root, options));
  };

const optionSets: readonly (object | undefined)[] = [
  undefined,
  { etag: false },
  { lastModified: false, cacheControl: false, acceptRanges: false },
  { maxAge: '1d', immutable: true },
];

const fieldSets: readonly Record<string, string>[] = [
  {},
  { 'If-None-Match': 'W/"7-19b7c9d7d88"' },
  { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { Range: 'bytes=1-2' },
];

const files = ['/index.html', '/', '/note.txt', '/sub/other.css', '/no-extension', '/empty.txt', '/small.bin'];

eachAsExpress([
  ...optionSets.flatMap((options) =>
    files.flatMap((file) =>
      ['GET', 'HEAD'].map((method): Case => ({
        name: `a kept file: ${method} ${file} with ${JSON.stringify(options)}`,
        app: serving(options),
        send: request(`${method} ${file}`),
        shows: /^HTTP\/1\.1 200 /,
      })),
    ),
  ),
  ...fieldSets.map((fields): Case => ({
    name: `a kept file: ${JSON.stringify(fields)}`,
    app: serving(),
    send: request('GET /note.txt', fields),
  })),
  {
    name: 'a kept file: fields of an earlier handler stay',
    app: (app, kit) => {
      app.use((_, res, next) => {
        res.set({ ETag: '"own"', 'Last-Modified': 'then', 'Content-Type': 'text/x-own' });
        next();
      });
      serving()(app, kit, () => undefined);
    },
    send: request('GET /note.txt'),
    shows: /ETag: "own"/,
  },
  {
    name: 'a kept file: res.sendFile()',
    app: (app) => {
      app.get('/', (_, res) => res.sendFile('note.txt', { root, headers: { 'X-Own': '1' } }));
    },
    send: request('GET /'),
    shows: /a note/,
  },
]);

test('a kept file costs one stat', { skip: elsewhere }, async () => {
  assert.equal(await operations(() => ask('note.txt')), 1);
  assert.equal(await operations(() => ask('small.bin')), 1);
});

test('a file with another content of the same size and modification time is read again', async () => {
  const file = path.join(root, 'same-size.txt');
  const { atime, mtime } = fs.statSync(file);
  for (let round = 0; round < 50; round++) {
    const content = String(100 + round);
    fs.writeFileSync(file, content);
    fs.utimesSync(file, atime, mtime);
    assert.equal(await ask('same-size.txt'), `200 ${content}`);
  }
});

test('a file in the place of a kept one is read', async () => {
  const file = path.join(root, 'renamed.txt');
  const { atime, mtime } = fs.statSync(file);
  assert.equal(await ask('renamed.txt'), '200 one');
  fs.writeFileSync(`${file}.new`, 'two');
  fs.utimesSync(`${file}.new`, atime, mtime);
  fs.renameSync(`${file}.new`, file);
  assert.equal(await ask('renamed.txt'), '200 two');
});

const streamed = process.platform === 'win32' && 'every file is streamed on Windows, where `end()` is given no octets';

test(
  'a program that writes to the octets of a file does not change those of later answers',
  { skip: streamed },
  async () => {
    const kept = '!'.repeat(65_536);
    assert.equal(await ask('small.bin?spoil'), `200 ${kept}`);
    assert.equal(await ask('small.bin'), `200 ${contents['small.bin']}`);
    // Not kept yet: the content that is read becomes the kept one.
    assert.equal(await ask('spoilt.txt?spoil'), '200 !!!');
    assert.equal(await ask('spoilt.txt'), '200 one');
    assert.equal(await ask('spoilt.txt'), '200 one');
  },
);

// Each gets the octets of a file in the memory in which they are written, and uses that memory for something else.
const wasters: Record<string, () => Promise<unknown>> = {
  'the other end of a connection in memory': async () => {
    const [near, far] = End.pair();
    server.emit('connection', far);
    near.write('GET /small.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    near.on('data', waste);
    await once(near, 'end');
  },
  'a socket whose write() is replaced': async () => {
    server.once('connection', (socket: net.Socket) => {
      const { write } = socket;
      socket.write = function (this: net.Socket, ...args: unknown[]) {
        args[0] = copied(args[0]);
        return write.apply(this, args as never);
      };
    });
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    client.end('GET /small.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').resume();
    await once(client, 'close');
  },
  "a stream that a response of node's is given": async () => {
    const req = Object.assign(new http.IncomingMessage(new net.Socket()), { method: 'GET', url: '/small.bin' });
    const res = new http.ServerResponse(req);
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        copied(chunk);
        done();
      },
    });
    res.assignSocket(stream as unknown as net.Socket);
    server.emit('request', req, res);
    await once(res, 'finish');
  },
};

/** Each is done to the stream, or the application, of an answer over HTTP/2. */
const over2: Readonly<Record<string, (res: express.Response) => void>> = {
  ...Object.fromEntries(
    ['end', '_write'].map((name) => [
      `a stream of HTTP/2 whose ${name}() is replaced`,
      (res: express.Response) => replace(Reflect.get(res, 'stream') as object, name),
    ]),
  ),
  'an application whose end() is replaced, over HTTP/2,': (res) =>
    replace(Reflect.get(res.app, 'response') as object, 'end'),
};

function replace(holder: object, name: string): void {
  const method = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
  Object.assign(holder, {
    [name](this: unknown, ...args: unknown[]) {
      args[0] = copied(args[0]);
      return method.apply(this, args);
    },
  });
}

for (const [name, act] of Object.entries(over2)) {
  wasters[name] = async () => {
    const app = nonstop();
    app.use(((_req: express.Request, res: express.Response, next: express.NextFunction) => {
      act(res);
      next();
    }) as never);
    app.use(nonstop.static(root));
    const over = app.listen({ port: 0, host: '127.0.0.1', http2: true } as never);
    await once(over, 'listening');
    const session = http2.connect(`http://127.0.0.1:${(over.address() as net.AddressInfo).port}`);
    const stream = session.request({ ':path': '/small.bin' }).on('error', () => undefined);
    await once(stream.resume(), 'close');
    session.close();
    over.close();
  };
}

function copied(chunk: unknown): unknown {
  if (typeof chunk === 'string') return chunk;
  const copy = Buffer.from(chunk as Buffer);
  waste(chunk as Buffer);
  return copy;
}

function waste(octets: Buffer): void {
  octets.fill('!');
}

for (const [name, use] of Object.entries(wasters)) {
  test(`${name} does not change the octets of later answers`, async () => {
    await ask('small.bin');
    await use();
    assert.equal(await ask('small.bin'), `200 ${contents['small.bin']}`);
  });
}

test('a removed file is not found', async () => {
  assert.equal(await ask('removed.txt'), '200 one');
  fs.rmSync(path.join(root, 'removed.txt'));
  assert.match(await ask('removed.txt'), /^404 /);
});

test('a program that replaces fs.open or fs.readFile is called for a kept file', async (t) => {
  assert.equal(await ask('opened.txt'), '200 one');
  const seen: string[] = [];
  const { open, readFile } = fs;
  const hearing =
    (name: string, original: (...args: never[]) => unknown) =>
    (...args: unknown[]): unknown => {
      if (String(args[0]).startsWith(root)) seen.push(name);
      return original.apply(fs, args as never[]);
    };
  t.after(() => Object.assign(fs, { open, readFile }));
  Object.assign(fs, { open: hearing('read', open), readFile: hearing('read', readFile) });
  assert.equal(await ask('opened.txt'), '200 one');
  assert.deepEqual(seen, ['read']);
});

for (const called of [['open', 'readFile'], ['read']] as const) {
  test(`what a replaced fs.${called[0]} has read is not kept, if it is put back before the end`, async (t) => {
    const genuine = { open: fs.open, read: fs.read, readFile: fs.readFile };
    const putBack = (): unknown => Object.assign(fs, genuine);
    t.after(putBack);
    type Call = (...args: unknown[]) => void;
    const other = path.join(root, 'elsewhere.txt');
    /** Leads one call to another content of the same length. */
    const led: Record<string, Call> = {
      open: (_, ...rest) => (putBack(), (genuine.open as Call)(other, ...rest)),
      readFile: (_, ...rest) => (putBack(), (genuine.readFile as Call)(other, ...rest)),
      read: (...args) => {
        putBack();
        const done = args.pop() as Call;
        (genuine.read as Call)(...args, (error: unknown, count: number, octets: Buffer) =>
          done(error, count, octets.fill('2')),
        );
      },
    };
    Object.assign(fs, Object.fromEntries(called.map((name) => [name, led[name]])));
    const first = await ask('led.txt');
    // Newer Nodes read a whole file without `fs.read`.
    const isCalled = fs.open === genuine.open && fs.read === genuine.read;
    putBack();
    assert.equal(first, isCalled ? `200 ${called[0] === 'read' ? '222' : 'two'}` : '200 one');
    for (let i = 0; i < 2; i++) assert.equal(await ask('led.txt'), '200 one');
  });
}

test(
  'a file is sent from memory while fs.close alone is replaced, as graceful-fs does it',
  { skip: elsewhere },
  async (t) => {
    assert.equal(await ask('opened.txt'), '200 one');
    const { close } = fs;
    t.after(() => Object.assign(fs, { close }));
    Object.assign(fs, { close: (...args: Parameters<typeof close>) => close(...args) });
    assert.equal(await operations(() => ask('opened.txt')), 1);
  },
);

/** A stat as of a file of this size that changed long ago, on the device of the test's folder. */
const statOf = (size: number, more: object = {}): fs.Stats =>
  Object.assign(fs.statSync(path.join(root, 'note.txt')), { size, mtimeMs: 1e12, ctimeMs: 1e12, ...more });

const SECOND = 1000;

/** A kept file, by a stat that begins now. */
const keptFile = (file: string, stat: fs.Stats) => keptFileOf(file, stat, keptSoFar());

test('only a whole content is kept, of a file that changed two seconds before', { skip: elsewhere }, () => {
  const content = Buffer.from('content');
  const stat = statOf(content.length);
  keepFile('/cut', stat, content.subarray(1), Date.now());
  assert.equal(keptFile('/cut', stat), undefined);
  for (const time of ['mtimeMs', 'ctimeMs'] as const) {
    const changed = statOf(content.length, { [time]: 2e12 });
    keepFile(`/${time}`, changed, content, 2e12 + 2 * SECOND - 1);
    assert.equal(keptFile(`/${time}`, changed), undefined);
    keepFile(`/${time}`, changed, content, 2e12 + 2 * SECOND);
    assert.deepEqual(keptFile(`/${time}`, changed)?.content, content);
  }
});

/*
 * A link is changed between the stat and the reading: the content is that of the other file. When the link is changed back, the
 * first stat comes again.
 */
test(
  'a content is served once a stat that began after the reading has found the same file',
  { skip: elsewhere },
  () => {
    const content = Buffer.from('perhaps of another file');
    const stat = statOf(content.length);
    const before = keptSoFar();
    keepFile('/linked', stat, content, Date.now());
    assert.equal(keptFileOf('/linked', stat, before), undefined);
    const behind = keptSoFar();
    keepFile('/linked', stat, Buffer.from(content), Date.now());
    assert.deepEqual(keptFileOf('/linked', stat, behind)?.content, content);
    keepFile('/again', stat, content, Date.now());
    assert.equal(keptFileOf('/again', stat, behind), undefined);
    assert.deepEqual(keptFileOf('/linked', stat, before)?.content, content);
  },
);

test('a content that no stat has proved within ten seconds is read again', { skip: elsewhere }, () => {
  const content = Buffer.from('perhaps of another file');
  const stat = statOf(content.length);
  keepFile('/rarely', stat, content, Date.now() - 11 * SECOND);
  assert.equal(keptFile('/rarely', stat), undefined);
  keepFile('/rarely', stat, content, Date.now() - 9 * SECOND);
  assert.deepEqual(keptFile('/rarely', stat)?.content, content);
});

test('a stat that differs in any way is a change', { skip: elsewhere }, () => {
  const content = Buffer.from('content');
  const stat = statOf(content.length);
  keepFile('/differs', stat, content, Date.now());
  assert.notEqual(keptFile('/differs', stat), undefined);
  for (const change of [{ dev: 1 }, { ino: 1 }, { size: 1 }, { mtimeMs: 1 }, { ctimeMs: 1 }])
    assert.equal(keptFile('/differs', statOf(content.length, change)), undefined);
});

test('a slice of a pool is copied, so that the pool is not kept', { skip: elsewhere }, () => {
  const pool = Buffer.alloc(65_536, 'p');
  keepFile('/slice', statOf(3), pool.subarray(5, 8), Date.now());
  const kept = keptFile('/slice', statOf(3));
  assert.equal(kept?.content.buffer.byteLength, 3);
  pool.fill('x');
  assert.equal(String(kept.content), 'ppp');
});

test('8 MiB is the most that is kept; files that are asked for stay', { skip: elsewhere }, () => {
  const SIZE = 65_536;
  const stat = statOf(SIZE);
  const content = Buffer.alloc(SIZE);
  keepFile('/asked for', stat, content, Date.now());
  const names = Array.from({ length: 512 }, (_, index) => `/file/${index}`);
  for (const name of names) {
    keepFile(name, stat, content, Date.now());
    assert.notEqual(keptFile('/asked for', stat), undefined, name);
  }
  // A look at an old file makes it young, so the newest come first.
  const newestFirst = names.toReversed();
  const kept = newestFirst.filter((name) => keptFile(name, stat) !== undefined);
  assert.ok(kept.length * SIZE <= 8 * 1024 * 1024, `${kept.length} files`);
  assert.deepEqual(kept.slice(0, 32), newestFirst.slice(0, 32));
});

test('empty files are dropped in their turn, too', { skip: elsewhere }, () => {
  const stat = statOf(0);
  const names = Array.from({ length: 12_000 }, (_, index) => `/empty/${index}`);
  for (const name of names) keepFile(name, stat, Buffer.alloc(0), Date.now());
  assert.equal(keptFile(names[0], stat), undefined);
  assert.notEqual(keptFile(names.at(-1)!, stat), undefined);
});

test('files of a file system that may answer a stat from a cache are not kept', { skip: elsewhere }, async () => {
  const stat = fs.statSync('/proc/version');
  Object.assign(stat, { size: 1, mtimeMs: 1e12, ctimeMs: 1e12 });
  for (let i = 0; i < 3; i++) {
    keepFile('/proc/version', stat, Buffer.from('x'), Date.now());
    await wait(20);
    assert.equal(keptFile('/proc/version', stat), undefined);
  }
});
