import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import path = require('node:path');
import { test } from 'node:test';
import type express = require('express');
import { oracle } from '../support/oracle.js';
import { described, request } from '../support/beside-express.js';
import { doors } from '../support/doors.js';
import { folder } from '../support/folder.js';
import { ours, type Framework } from '../support/framework.js';
import { promise } from '../support/served.js';

/** A transfer that never ends would keep its server and the test open. */
const HANG_MS = 20_000;

const root = folder({ 'long.bin': Buffer.alloc(8_000_000, 'x'), 'short.txt': 'short' });
const long = path.join(root, 'long.bin');
const short = path.join(root, 'short.txt');

type Report = (what: string, error?: unknown) => void;

/** A handler during which the client disconnects, and what it reports. */
interface Scene {
  readonly name: string;
  /** @param leave resets the client's connection */
  readonly handle: (
    turn: { req: express.Request; res: express.Response; next: express.NextFunction },
    report: Report,
    leave: () => void,
  ) => void;
  readonly send?: Buffer;
  readonly app?: (app: express.Express, make: Framework) => void;
  /** What Express must show, to prove that the scene tests what its name says. */
  readonly shows: RegExp;
}

/** The transfer ends some turns after the response closes; an error would have been passed on by then. */
const settled = (then: () => void): void => void setImmediate(() => setImmediate(() => setImmediate(then)));

const SCENES: readonly Scene[] = [
  {
    name: 'before res.send of an empty text',
    handle: ({ res }, report, leave) => {
      res.once('close', () => {
        res.send('');
        report(String([res.headersSent, res.writableEnded]));
      });
      leave();
    },
    shows: /false,true/,
  },
  {
    name: 'during res.sendFile, with a callback',
    handle: ({ res }, report, leave) => {
      res.sendFile(long, (error) => report('called back', error));
      res.once('pipe', leave);
    },
    shows: /Request aborted.*ECONNABORTED/,
  },
  {
    name: 'during res.sendFile, without a callback',
    handle: ({ res }, report, leave) => {
      res.sendFile(long);
      res.once('pipe', leave);
      res.once('close', () => settled(() => report('nothing passed on')));
    },
    shows: /nothing passed on/,
  },
  {
    name: 'before res.sendFile has found its file',
    handle: ({ res }, report, leave) => {
      leave();
      res.once('close', () => res.sendFile(long, (error) => report('called back', error)));
    },
    shows: /ECONNABORTED/,
  },
  {
    name: 'before res.sendFile has found a small file',
    handle: ({ res }, report, leave) => {
      leave();
      res.once('close', () => res.sendFile(short, (error) => report('called back', error)));
    },
    shows: /ECONNABORTED/,
  },
  {
    name: 'while res.sendFile looks for a small file',
    handle: ({ res }, report) => {
      res.sendFile(short, (error) => report('called back', error));
      res.destroy();
    },
    shows: /ECONNABORTED/,
  },
  {
    name: 'during res.download, with a callback',
    handle: ({ res }, report, leave) => {
      res.download(long, 'saved.bin', (error) => report('called back', error));
      res.once('pipe', leave);
    },
    shows: /ECONNABORTED/,
  },
  {
    name: 'during res.download, without a callback',
    handle: ({ res }, report, leave) => {
      res.download(long);
      res.once('pipe', leave);
      res.once('close', () => settled(() => report('nothing passed on')));
    },
    shows: /nothing passed on/,
  },
  {
    name: 'before express.static has found its file',
    app: (app, make) => void app.use('/static', make.static(root)),
    handle: ({ req, res, next }, report, leave) => {
      leave();
      req.url = '/static/long.bin';
      res.once('close', () => (next(), settled(() => report('nothing passed on'))));
    },
    shows: /nothing passed on/,
  },
  {
    name: 'while express.json reads its body',
    app: (app, make) => void app.post('/', make.json()),
    send: request('POST /', { 'Content-Type': 'application/json', 'Content-Length': '100' }).subarray(),
    handle: ({ req, next }, _report, leave) => {
      next();
      req.once('data', leave);
    },
    shows: /request\.aborted/,
  },
  {
    name: 'before an answer is given',
    handle: ({ req, res }, report, leave) => {
      leave();
      res.once('close', () => {
        res.send('too late');
        settled(() => report(`${res.headersSent} ${res.writableEnded} ${res.writableFinished} ${req.destroyed}`));
      });
    },
    shows: /close.*true/,
  },
];

const [, door] = doors;

/** Plays a scene. @returns the callback's arguments, the error passed to `next`, and the events of the response, in order */
async function play(make: Framework, engine: string | undefined, scene: Scene): Promise<unknown[]> {
  const app = make();
  app.set('env', 'test');
  if (engine !== undefined) app.set('http engine', engine);
  const client = new net.Socket();
  client.on('error', () => undefined);
  const seen: unknown[] = [];
  let closed: Promise<unknown> | undefined;
  const over = new Promise<void>((resolve) => {
    const report: Report = (what, error) => {
      seen.push([what, error === undefined ? 'no error' : described(error)]);
      resolve();
    };
    app.use((req, res, next) => {
      closed = once(res, 'close');
      for (const event of ['finish', 'close']) res.on(event, () => seen.push(event));
      scene.handle({ req, res, next }, report, () => client.resetAndDestroy());
    });
    scene.app?.(app, make);
    app.use((error: unknown, _req: unknown, _res: unknown, _next: unknown) => report('passed on', error));
  });
  const by = make === ours && engine === undefined ? door.serves : 'node:http';
  const server = promise(app.listen(0, '127.0.0.1'), by);
  await once(server, 'listening');
  client.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  client.write(Buffer.concat([scene.send ?? request('GET /'), Buffer.from(scene.send === undefined ? '' : '{"a":')]));
  try {
    await over;
    await closed;
    return seen;
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

for (const scene of SCENES) {
  test(`a client that leaves ${scene.name} is reported as in Express`, { timeout: HANG_MS }, async () => {
    const expected = await play(oracle, undefined, scene);
    assert.match(JSON.stringify(expected), scene.shows);
    for (const engine of [undefined, 'node'])
      assert.deepEqual(await play(ours, engine, scene), expected, `by ${engine ?? 'the engine'}`);
  });
}
