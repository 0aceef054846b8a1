import assert = require('node:assert/strict');
import { once } from 'node:events';
import fs = require('node:fs');
import path = require('node:path');
import { test } from 'node:test';
import type express = require('express');
import { maskDate } from '../support/both-doors.js';
import { described, type Note } from '../support/beside-express.js';
import { folder } from '../support/folder.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { promise } from '../support/served.js';
import { PIPES_CATCH } from '../../src/node/differences.js';
import { SIDES, type Side } from './stage.js';

const root = folder({ 'small.txt': 'hello', 'large.txt': 'l'.repeat(70_000), 'empty.txt': '' });

type Call = (...args: unknown[]) => unknown;
type Callback = (error: Error | null, ...rest: unknown[]) => void;
const system = fs as unknown as Record<string, Call>;

const errorOf = (code: string, syscall: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: of the test, ${syscall}`), { code, syscall });

/** Operations of {@link inFront} whose callback has not been called yet. */
let underWay = 0;

/** Replaces a function of `node:fs` by `patched` for files of the test. @returns a function that undoes it */
function inFront(name: string, patched: (args: unknown[], done: Callback, go: () => void) => void): () => void {
  const original = system[name];
  system[name] = (...args) => {
    const done = args.pop() as Callback;
    const isOurs = typeof args[0] === 'number' ? descriptors.has(args[0]) : String(args[0]).startsWith(root);
    if (!isOurs) return original.call(fs, ...args, done);
    underWay++;
    const told: Callback = (...results: Parameters<Callback>) => {
      underWay--;
      done(...results);
    };
    return patched(args, told, () => void original.call(fs, ...args, told));
  };
  return () => void (system[name] = original);
}

const descriptors = new Set<number>();

/** Keeps the descriptors of the test's files. */
const noting = (): (() => void) => {
  const { open } = fs;
  const undo = inFront('open', (args, done) => {
    (open as unknown as Call).call(fs, ...args, (error: Error | null, fd: number) => {
      if (error === null) descriptors.add(fd);
      done(error, fd);
    });
  });
  return () => {
    undo();
    descriptors.clear();
  };
};

type Fault = () => (() => void)[];

const failing = (name: string, code: string): Fault => {
  return () => [noting(), inFront(name, (_args, done) => setImmediate(done, errorOf(code, name)))];
};
// From Node 26 on `fs.readFile()` reads a small file with one system call, and then reports each step.
const wholeFails = (name: string, code: string): (() => void) =>
  inFront('readFile', (_args, done) => setImmediate(done, errorOf(code, name)));
const withWhole = (name: string, code: string, fault = failing(name, code)): Fault => {
  return () => [...fault(), wholeFails(name, code)];
};

/** As `fs.readFile()` reports it, which knows the file; `fs.read()` only knows a descriptor. */
const readingNamedFile: Fault = () => [
  ...failing('read', 'EIO')(),
  inFront('readFile', ([file], done) => {
    setImmediate(
      done,
      Object.assign(errorOf('EIO', 'read'), { message: `EIO: of the test, read '${String(file)}'`, path: file }),
    );
  }),
];

const closing: Fault = () => {
  const { close } = fs;
  return [
    noting(),
    wholeFails('close', 'EIO'),
    inFront('close', ([fd], done) => {
      descriptors.delete(fd as number);
      close(fd as number, () => done(errorOf('EIO', 'close')));
    }),
  ];
};
const readingAndClosing: Fault = () => [
  ...closing(),
  inFront('read', (_args, done) => setImmediate(done, errorOf('EISDIR', 'read'))),
];

/** Each read gives no more than a half of what it was asked for, and at least one octet. */
const reading = (): (() => void)[] => {
  const { read } = fs;
  return [
    noting(),
    inFront('read', ([fd, buffer, offset, length, position], done) => {
      (read as unknown as Call).call(fs, fd, buffer, offset, Math.ceil((length as number) / 2), position, done);
    }),
  ];
};

/** The file's size changes after it was found. */
const measuring = (size: (size: number) => number): Fault => {
  const { stat } = fs;
  return () => [
    inFront('stat', (args, done) => {
      stat(args[0] as string, (error, found) => {
        if (error === null) found.size = size(found.size);
        done(error, found);
      });
    }),
  ];
};

const FAULTS: Record<string, Fault> = {
  'stat fails': failing('stat', 'EIO'),
  'stat finds no descriptors': failing('stat', 'EMFILE'),
  'stat may not look': failing('stat', 'EACCES'),
  'stat finds a name too long': failing('stat', 'ENAMETOOLONG'),
  'open finds no descriptors': withWhole('open', 'EMFILE', () => [
    inFront('open', (_args, done) => setImmediate(done, errorOf('EMFILE', 'open'))),
  ]),
  'open finds nothing any more': withWhole('open', 'ENOENT', () => [
    inFront('open', (_args, done) => setImmediate(done, errorOf('ENOENT', 'open'))),
  ]),
  'read fails': withWhole('read', 'EIO'),
  'read fails, and the error names the file': readingNamedFile,
  'close fails': closing,
  'read and close fail': readingAndClosing,
  'read gives less than it was asked for': reading,
  'the file has grown': measuring((size) => Math.max(size - 2, 0)),
};

/** @param noteOf returns the function that notes what happens to a request */
type Serve = (app: express.Express, make: Framework, noteOf: (req: express.Request) => Note) => void;

const SERVED: Record<string, Serve> = {
  'express.static': (app, make) => void app.use(make.static(root)),
  'express.static that does not fall through': (app, make) => void app.use(make.static(root, { fallthrough: false })),
  'express.static with fields of its own': (app, make) =>
    void app.use(make.static(root, { setHeaders: (res) => void res.setHeader('X-Own', '1') })),
  'res.sendFile': (app) => void app.use((req, res) => res.sendFile(path.join(root, req.path))),
  'res.sendFile below a root': (app) => void app.use((req, res) => res.sendFile(req.path, { root })),
  'res.sendFile with a callback': (app, _make, noteOf) =>
    void app.use((req, res, next) =>
      res.sendFile(path.join(root, req.path), (error) => {
        noteOf(req)(['called back', error ? described(error) : error]);
        if (error) next(error);
      }),
    ),
  'res.download': (app) => void app.use((req, res) => res.download(path.join(root, req.path))),
};

const REQUESTS = ['/small.txt', '/small.txt', '/large.txt', '/empty.txt', '/absent.txt'];

/** @returns for each of the requests, which arrive together, its answer and its notes */
async function play({ make, engine, by }: Side, serve: Serve, fault: Fault): Promise<unknown> {
  const app = make();
  app.set('env', 'test');
  if (engine !== undefined) app.set('engine', engine);
  const noted: unknown[][] = REQUESTS.map(() => []);
  const notes = (req: express.Request): unknown[] => noted[Number(req.get('X-Number'))];
  serve(app, make, (req) => (what) => void notes(req).push(what));
  app.use((req, res) => void res.end(`not served: ${req.url}`));
  app.use(((error, req, res, _next) => {
    notes(req).push(['error', described(error), res.headersSent]);
    if (res.headersSent) res.destroy();
    else res.status((error as { status?: number }).status ?? 500).send('an error');
  }) as express.ErrorRequestHandler);
  const server = promise(app.listen(0, '127.0.0.1'), by);
  await once(server, 'listening');
  const undone = fault();
  try {
    const wires = await Promise.all(
      REQUESTS.map(async (target, i) => {
        const client = await RawClient.open(server);
        await client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-Number: ${i}\r\nConnection: close\r\n\r\n`);
        return maskDate(await client.untilClose());
      }),
    );
    // A file may be closed after the answer; an error of that comes once the thread pool has done it.
    for (let quiet = 0; quiet < 10; quiet = underWay === 0 ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
    return REQUESTS.map((target, i) => [target, wires[i], noted[i]]);
  } finally {
    for (const undo of undone.toReversed()) undo();
    const closed = once(server, 'close');
    server.closeAllConnections();
    server.close();
    await closed;
  }
}

for (const [how, serve] of Object.entries(SERVED)) {
  for (const [what, fault] of Object.entries(FAULTS)) {
    test(`${how}: ${what}`, async () => {
      const [oracle, ...subjects] = SIDES;
      const expected = await play(oracle, serve, fault);
      for (const side of subjects) assert.deepEqual(await play(side, serve, fault), expected, side.name);
    });
  }
}

/** What makes the head of a response fail, when the file has been found. */
const HEADS: Record<string, (res: express.Response) => void> = {
  'a status that is none': (res) => void (res.statusCode = 1000),
  'a reason that is none': (res) => void (res.statusMessage = 'a\r\nb'),
  'a writeHead() that throws': (res) => {
    res.writeHead = () => {
      throw new Error('of writeHead');
    };
  },
};

// For an empty file it is uncaught in every version.
const uncaught = PIPES_CATCH ? false : 'an error of a pipe is uncaught before Node 24';
for (const [how, serve] of Object.entries(SERVED)) {
  for (const [what, breaks] of Object.entries(HEADS)) {
    test(`${how}: ${what}`, { skip: uncaught }, async () => {
      const breaking: Serve = (app, make, noteOf) => {
        app.use((req, res, next) => {
          if (req.path !== '/empty.txt') breaks(res);
          if (req.path === '/absent.txt') res.destroy();
          else next();
        });
        app.use((req, res, next) => {
          for (const event of ['finish', 'close', 'error']) res.on(event, () => noteOf(req)(event));
          next();
        });
        serve(app, make, noteOf);
      };
      const [oracle, ...subjects] = SIDES;
      const expected = await play(oracle, breaking, () => []);
      for (const side of subjects) assert.deepEqual(await play(side, breaking, () => []), expected, side.name);
    });
  }
}
