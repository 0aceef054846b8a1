import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import { test } from 'node:test';
import zlib = require('node:zlib');
import type express = require('express');
import { maskDate } from '../support/both-doors.js';
import { described, type Note } from '../support/beside-express.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { promise } from '../support/served.js';
import { ServerEnds } from '../support/server-ends.js';
import { SIDES, type Side } from './stage.js';

interface Multer {
  any(): express.RequestHandler;
}
const multer = Object.assign(require('multer') as (options: object) => Multer, {
  memoryStorage: (require('multer') as { memoryStorage(): object }).memoryStorage,
});

// What a parser does with a body that is aborted, has a wrong length, is compressed and arrives in pieces, has trailers,
// or whose request is destroyed meanwhile. Compared are the error with its type and counts, the events of the request in order,
// the answer, and whether the connection stays open.

interface Reader {
  readonly type: string;
  /** The whole body, uncompressed. */
  readonly body: string;
  use(make: Framework, app: express.Express): void;
}

const BOUNDARY = 'xYzZY';
const UPLOAD = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="title"',
  '',
  'of the upload',
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'x'.repeat(60),
  `--${BOUNDARY}--`,
  '',
].join('\r\n');
const JSON_TEXT = JSON.stringify({ name: 'a body', list: Array.from({ length: 12 }, (_, i) => i) });

const readers: Record<string, Reader> = {
  'json()': { type: 'application/json', body: JSON_TEXT, use: (make, app) => app.use(make.json()) },
  'json() that verifies': {
    type: 'application/json',
    body: JSON_TEXT,
    use: (make, app) => app.use(make.json({ verify: (_req, _res, bytes) => assert.ok(bytes.length > 0) })),
  },
  'json() of too little': {
    type: 'application/json',
    body: JSON_TEXT,
    use: (make, app) => app.use(make.json({ limit: 20 })),
  },
  'raw()': { type: 'application/octet-stream', body: JSON_TEXT, use: (make, app) => app.use(make.raw()) },
  'text() in another charset': {
    type: 'text/plain; charset=koi8-r',
    body: JSON_TEXT,
    use: (make, app) => app.use(make.text()),
  },
  'urlencoded()': {
    type: 'application/x-www-form-urlencoded',
    body: `a=1&b=${'y'.repeat(50)}`,
    use: (make, app) => app.use(make.urlencoded({ extended: false })),
  },
  'two parsers in turn': {
    type: 'application/json',
    body: JSON_TEXT,
    use: (make, app) => app.use(make.text({ type: 'text/*' }), make.json(), make.json()),
  },
  'multer in memory': {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: UPLOAD,
    use: (_make, app) => app.use(multer({ storage: multer.memoryStorage() }).any()),
  },
  'multer of too little': {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: UPLOAD,
    use: (_make, app) => app.use(multer({ limits: { fileSize: 10 } }).any()),
  },
};

/** Instead of a piece: the client sends FIN, or hangs up. */
const FIN = Buffer.from('FIN');
const GONE = Buffer.from('GONE');
type Sent = readonly (string | Buffer)[];
interface Delivery {
  readonly fields: (size: number) => readonly string[];
  readonly pieces: (body: Buffer) => Sent;
  readonly coding?: (body: Buffer) => Buffer;
}

const third = (body: Buffer): Buffer[] => {
  const at = Math.ceil(body.length / 3);
  return [body.subarray(0, at), body.subarray(at, 2 * at), body.subarray(2 * at)];
};
const chunk = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
const length = (size: number): string[] => [`Content-Length: ${size}`];
const chunked = (): string[] => ['Transfer-Encoding: chunked'];

const plain: Record<string, Delivery> = {
  'in three pieces': { fields: length, pieces: third },
  'in chunks with trailers': {
    fields: () => [...chunked(), 'Trailer: X-Sum'],
    pieces: (body) => [...third(body).map(chunk), '0\r\nX-Sum: 1\r\n\r\n'],
  },
  'in chunks and no more': { fields: chunked, pieces: (body) => third(body).slice(0, 2).map(chunk).concat(GONE) },
  'a third, then the client is gone': { fields: length, pieces: (body) => [...third(body).slice(0, 1), GONE] },
  'a third, then FIN': { fields: length, pieces: (body) => [...third(body).slice(0, 1), FIN] },
  'nothing of it, then the client is gone': { fields: length, pieces: () => [GONE] },
  'shorter than said, then FIN': { fields: (size) => length(size + 7), pieces: (body) => [...third(body), FIN] },
  'longer than said': { fields: (size) => length(size - 7), pieces: third },
  'with a chunk that is longer than said': {
    fields: chunked,
    pieces: (body) => [chunk(third(body)[0]), Buffer.concat([Buffer.from('3\r\nab'), Buffer.from('cdef\r\n')])],
  },
  'with a fault behind the first chunk, in one read': {
    fields: chunked,
    pieces: (body) => [Buffer.concat([chunk(third(body)[0]), Buffer.from('zz\r\n')])],
  },
};

const compressed: Record<string, Delivery> = Object.fromEntries(
  (
    [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
      ['br', zlib.brotliCompressSync],
    ] as const
  ).flatMap(([name, compress]) => {
    const coding = (body: Buffer): Buffer => compress(body);
    const field = `Content-Encoding: ${name}`;
    const fields = (size: number): string[] => [...length(size), field];
    const inChunks = (): string[] => [...chunked(), field];
    return [
      [`${name} in three pieces`, { fields, pieces: third, coding }],
      [
        `${name} in chunks with trailers`,
        { fields: inChunks, pieces: (body: Buffer) => [...third(body).map(chunk), '0\r\nX-Sum: 1\r\n\r\n'], coding },
      ],
      [
        `${name}, a third, then the client is gone`,
        { fields, pieces: (body: Buffer) => [...third(body).slice(0, 1), GONE], coding },
      ],
      [
        `${name}, of which the end is missing`,
        { fields: inChunks, pieces: (body: Buffer) => [...third(body).slice(0, 2).map(chunk), '0\r\n\r\n'], coding },
      ],
      [
        `${name} with an octet that is wrong`,
        {
          fields,
          pieces: (body: Buffer) => third(Buffer.from(body.map((octet, i) => (i === 4 ? octet ^ 0xff : octet)))),
          coding,
        },
      ],
      [
        `${name} with more behind it`,
        {
          fields: (size: number) => [...length(size + 5), field],
          pieces: (body: Buffer) => [...third(body), 'abcde'],
          coding,
        },
      ],
    ] as const;
  }),
);

/** What a handler in front of the parser does. */
const beside: Record<string, (req: http.IncomingMessage, res: http.ServerResponse, arrived: Promise<void>) => unknown> =
  {
    'nothing beside it': () => undefined,
    'the request destroyed in the middle': (req, _res, arrived) => arrived.then(() => req.destroy()),
    'the response destroyed in the middle': (_req, res, arrived) => arrived.then(() => res.destroy()),
    'an answer in the middle': (_req, res, arrived) => arrived.then(() => res.end('early')),
  };

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** An error with its properties about the body, without the octets that multer keeps of a file. */
const tell = (error: unknown): unknown => {
  const { buffer: _buffer, storageErrors, ...rest } = described(error);
  return { ...rest, ...(Array.isArray(storageErrors) ? { storageErrors: storageErrors.length } : {}) };
};

interface Scene {
  readonly reader: Reader;
  readonly delivery: Delivery;
  readonly beside: (typeof beside)[string];
  /** Adds listeners to the request, so that it is a stream from the beginning. */
  readonly heard: boolean;
}

function build(app: express.Express, make: Framework, scene: Scene, note: Note, arrived: Promise<void>): void {
  app.use((req, res, next) => {
    if (req.method !== 'POST') return next();
    if (scene.heard) {
      for (const event of ['aborted', 'end', 'close']) req.on(event, () => note(`req ${event}`));
      req.on('error', (error: NodeJS.ErrnoException) => note(['req error', error.code]));
    }
    for (const event of ['finish', 'close']) res.on(event, () => note(`res ${event}`));
    scene.beside(req, res, arrived);
    return next();
  });
  scene.reader.use(make, app);
  app.use((req, res) => {
    const { file, files, body } = req as express.Request & { file?: object; files?: object };
    note(['handler', req.method, body, file, files, req.trailers, req.complete, req.readable]);
    if (!res.headersSent) res.json({ trailers: req.trailers });
  });
  const failed: express.ErrorRequestHandler = (error: Error & { status?: number }, req, res, _next) => {
    note(['error', tell(error), req.complete, req.destroyed, req.readable, req.aborted, res.headersSent]);
    if (!res.headersSent) res.status(error.status ?? 500).send(error.message);
  };
  app.use(failed);
}

async function play(side: Side, scene: Scene): Promise<unknown> {
  const notes: unknown[] = [];
  const note: Note = (what) => notes.push(what);
  let goOn!: () => void;
  const arrived = new Promise<void>((resolve) => (goOn = resolve));
  const app = side.make();
  app.set('env', 'test');
  if (side.engine !== undefined) app.set('http engine', side.engine);
  build(app, side.make, scene, note, arrived);
  const server = promise(app.listen(0, '127.0.0.1'), side.by);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    note(['clientError', error.code]);
    socket.destroy();
  });
  const ends = new ServerEnds(server);
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    await converse(client, ends, scene, goOn);
    await outcome(notes);
    await quiet(client, notes);
    // Connections that are still open get one more request.
    if (!client.socket.destroyed && client.socket.writable) {
      note('asked again');
      await client.send('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
      await quiet(client, notes);
    }
    const gone = scene.delivery.pieces(Buffer.alloc(90)).includes(GONE);
    const wire = gone ? '' : maskDate(client.received);
    if (scene.delivery.coding === undefined) return { wire, notes };
    // zlib works in threads: the order of its end and of the request's events is chance.
    const ofRequest = notes.filter((each) => aboutOf(each).startsWith('req '));
    return { wire, ofRequest, others: notes.filter((each) => !ofRequest.includes(each)).map(withoutStates) };
  } finally {
    client.drop();
    const closed = once(server, 'close');
    server.closeAllConnections();
    server.close();
    await closed;
  }
}

async function converse(client: RawClient, ends: ServerEnds, scene: Scene, goOn: () => void): Promise<void> {
  const { reader, delivery } = scene;
  const body = delivery.coding?.(Buffer.from(reader.body)) ?? Buffer.from(reader.body);
  const fields = ['POST / HTTP/1.1', 'Host: test', `Content-Type: ${reader.type}`, ...delivery.fields(body.length)];
  await client.send(`${fields.join('\r\n')}\r\n\r\n`);
  let sent = 0;
  for (const piece of delivery.pieces(body)) {
    await ends.haveRead(client);
    await turns(3);
    if (sent++ === 1) {
      goOn();
      await turns(6);
    }
    if (piece === FIN) client.finish();
    else if (piece === GONE) client.drop();
    else await client.send(piece);
  }
  await ends.haveRead(client);
}

/** The subject of a note comes first, before objects that have no text. */
const aboutOf = (note: unknown): string =>
  Array.isArray(note) ? `${note[0]},${typeof note[1] === 'string' ? note[1] : ''}` : String(note);

const withoutStates = (note: unknown): unknown =>
  Array.isArray(note) && note[0] === 'error' ? note.slice(0, 2) : Array.isArray(note) ? note.slice(0, 3) : note;

/** Resolves when the request with the body has reached a handler, or cannot any more. */
async function outcome(notes: readonly unknown[]): Promise<void> {
  const patience = Date.now() + 15_000;
  while (!notes.some((each) => /^(?:handler,POST|error|res close)/.test(aboutOf(each)))) {
    if (Date.now() > patience) throw new Error(`nothing came of it: ${JSON.stringify(notes)}`);
    await turns(1);
  }
}

/** Resolves after some turns of the event loop without data or notes. */
async function quiet(client: RawClient, notes: readonly unknown[]): Promise<void> {
  let before = -1;
  for (let still = 0; still < 20; still++) {
    const now = notes.length + client.received.length;
    if (now !== before) still = 0;
    before = now;
    await turns(1);
  }
}

function declare(name: string, scene: Scene): void {
  test(name, async () => {
    const [oracle, ...subjects] = SIDES;
    const expected = await play(oracle, scene);
    for (const side of subjects) assert.deepEqual(await play(side, scene), expected, side.name);
  });
}

for (const [readerName, reader] of Object.entries(readers)) {
  for (const [arrives, delivery] of Object.entries({ ...plain, ...compressed })) {
    for (const [besideName, act] of Object.entries(beside)) {
      // If a compressed body has two faults, the timing of zlib's threads decides which is found first.
      const compresses = delivery.coding !== undefined;
      if (compresses && (besideName !== 'nothing beside it' || readerName.includes('too little'))) continue;
      for (const heard of compresses ? [true] : [true, false]) {
        declare(`${readerName}, ${heard ? 'heard' : 'not heard'}, with ${besideName}: a body that comes ${arrives}`, {
          reader,
          delivery,
          beside: act,
          heard,
        });
      }
    }
  }
}
