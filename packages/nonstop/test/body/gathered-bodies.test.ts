// A body of a known length that comes in several reads: what a program does between them finds what it finds with Express.
import assert = require('node:assert/strict');
import { once } from 'node:events';
import type net = require('node:net');
import { finished } from 'node:stream';
import { test } from 'node:test';
import type express = require('express');
import { kCollectBody, kTaken, type CollectableRequest } from '../../src/core/shortcuts.js';
import { described } from '../support/beside-express.js';
import { maskDate } from '../support/both-doors.js';
import { until } from '../support/bounded.js';
import { doors } from '../support/doors.js';
import { ours, type Framework } from '../support/framework.js';
import { oracle } from '../support/oracle.js';
import { RawClient } from '../support/raw-http.js';
import { promise } from '../support/served.js';

type Note = (what: unknown) => void;

interface Turn {
  readonly req: express.Request;
  readonly res: express.Response;
  readonly note: Note;
  readonly client: RawClient;
}

interface Case {
  readonly parser?: (kit: Framework) => express.RequestHandler;
  readonly type?: string;
  /** The body, in the pieces that arrive each in a read of its own. */
  readonly pieces: readonly string[];
  /** The announced length, if it is not that of the pieces. */
  readonly length?: number;
  /** Called when this many pieces have arrived. */
  readonly after?: Readonly<Record<number, (turn: Turn) => void>>;
  /** Sent with the last piece. */
  readonly behind?: string;
  readonly before?: express.RequestHandler;
  /** Called with the head. */
  readonly atHead?: (turn: Turn) => void;
  /** Called when the parser has begun. */
  readonly atParser?: (turn: Turn) => void;
  /** The connection stays open. */
  readonly stays?: boolean;
}

const [, engine] = doors;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function play(make: Framework, each: Case): Promise<{ wire: string; notes: unknown[] }> {
  const { parser = (kit) => kit.raw({ type: '*/*', limit: '2mb' }), pieces, after = {}, behind = '' } = each;
  const notes: unknown[] = [];
  const note: Note = (what) => notes.push(what);
  const app = make();
  app.set('env', 'production');
  let turn: Turn | undefined;
  app.get('/next', (_req, res) => void res.send('next'));
  app.use((req, res, next) => {
    turn = { req, res, note, client };
    each.atHead?.(turn);
    next();
  });
  if (each.before) app.use(each.before);
  const parse = parser(make);
  app.use((req, res, next) => {
    parse(req, res, next);
    each.atParser?.(turn!);
  });
  app.use((req, res) => {
    note(['parsed', Buffer.isBuffer(req.body) ? ['octets', req.body.toString('latin1')] : req.body]);
    note([req.complete, req.readableEnded, req.destroyed]);
    if (!res.headersSent) res.send('read');
  });
  app.use(((error: Error, _req, res, _next) => {
    note(['failed', described(error)]);
    if (!res.headersSent) res.status(500).send('failed');
  }) as express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  promise(server, make === ours ? engine.serves : 'node:http');
  let socket: net.Socket | undefined;
  server.on('connection', (accepted) => (socket = accepted));
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    let sent = 0;
    const send = async (octets: string): Promise<void> => {
      sent += octets.length;
      if (client.socket.writable) await client.send(Buffer.from(octets, 'latin1'));
      await until(
        () => socket?.destroyed === true || (socket?.bytesRead ?? 0) >= sent,
        () => 'the octets',
      );
      await settled();
    };
    const body = pieces.join('');
    const type = each.type ?? 'application/octet-stream';
    await send(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${each.length ?? body.length}\r\n\r\n`,
    );
    for (const [i, piece] of pieces.entries()) {
      await send(i === pieces.length - 1 ? piece + behind : piece);
      after[i + 1]?.(turn!);
      await settled();
    }
    if (each.stays !== true) await send('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    else if (!client.socket.destroyed) client.drop();
    await client.ended;
    await until(
      () => socket?.destroyed === true,
      () => 'the end of the connection',
    );
    await settled();
    return { wire: maskDate(client.received), notes };
  } finally {
    client.drop();
    server.closeAllConnections();
    server.close();
  }
}

const listening =
  (...events: string[]) =>
  ({ req, note }: Turn): void => {
    for (const event of events) {
      req.on(event, (what: unknown) =>
        note([
          event,
          what instanceof Error ? described(what) : Buffer.isBuffer(what) ? what.toString('latin1') : typeof what,
        ]),
      );
    }
  };

const state = ({ req, note }: Turn): void => {
  const { readableFlowing, readableLength, readableEnded, readableDidRead, destroyed, complete, aborted } = req;
  note({ readableFlowing, readableLength, readableEnded, readableDidRead, destroyed, complete, aborted });
};

const THREE = ['one,', 'two,', 'three'];
const large = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7) % 90))).join('');
const at = (where: number, act: (turn: Turn) => void): Case => ({ pieces: THREE, after: { [where]: act } });
const json = JSON.stringify({ a: 'é'.repeat(50), b: [1, 2, 3] });
const utf8 = Buffer.from(json).toString('latin1');

const cases: Record<string, Case> = {
  'in three reads': { pieces: THREE },
  'in reads of an octet': { pieces: [...'a few octets'] },
  'of 300 kB': { pieces: [large(100_000), large(100_001), large(99_999)] },
  'of 300 kB whose first read has an octet': { pieces: ['a', large(70_000), 'b', large(229_998)] },
  'of 700 kB whose first reads have 10 octets': { pieces: ['0123456789', '0123456789', large(70_000), large(630_000)] },
  'of JSON': {
    pieces: [utf8.slice(0, 30), utf8.slice(30, 31), utf8.slice(31)],
    type: 'application/json',
    parser: (kit) => kit.json(),
  },
  'of wrong JSON': { pieces: ['{"a":', '1,', '}'], type: 'application/json', parser: (kit) => kit.json() },
  'of text': {
    pieces: [utf8.slice(0, 9), utf8.slice(9, 12), utf8.slice(12)],
    type: 'text/plain; charset=utf-8',
    parser: (kit) => kit.text(),
  },
  'of text in Latin-1': {
    pieces: ['\xe9\xe8', '\xe0', 'abc'],
    type: 'text/plain; charset=iso-8859-1',
    parser: (kit) => kit.text(),
  },
  'of a form': {
    pieces: ['a=', '1&b=', '2'],
    type: 'application/x-www-form-urlencoded',
    parser: (kit) => kit.urlencoded({ extended: true }),
  },
  'that is verified': {
    pieces: THREE,
    parser: (kit) =>
      kit.raw({
        type: '*/*',
        verify: (_req, _res, body) => {
          if (body.length === 13) throw new Error('refused');
        },
      }),
  },
  'with the next request behind it': { pieces: THREE, behind: 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n' },
  'whose Content-Length a program has changed': {
    pieces: THREE,
    before: (req, _res, next) => {
      req.headers['content-length'] = '20';
      next();
    },
  },
  'whose push() was replaced before': {
    pieces: THREE,
    before: (req, _res, next) => {
      const { push } = req;
      req.push = (chunk: Buffer | null) => push.call(req, chunk);
      next();
    },
  },
  ...Object.fromEntries(
    [2, 6, 10].map((limit, i) => [
      `that exceeds the limit with its read ${i + 1}, and whose length a program has hidden`,
      {
        pieces: THREE,
        parser: (kit: Framework) => kit.raw({ type: '*/*', limit }),
        before: (req: express.Request, _res: express.Response, next: express.NextFunction) => {
          delete req.headers['content-length'];
          req.headers['transfer-encoding'] = 'chunked';
          next();
        },
      },
    ]),
  ),
  'that listeners of the first tick hear': {
    pieces: THREE,
    atHead: (turn) => process.nextTick(() => listening('data', 'end')(turn)),
  },
};

/** Waits until `when` in front of the parser. */
const late =
  (when: (req: express.Request) => boolean): express.RequestHandler =>
  (req, _res, next) => {
    const look = (): void => void (when(req) ? next() : setImmediate(look));
    look();
  };
const whole = late(({ complete }) => complete);
/** For the events of the ticks in which a stream begins to flow, and ends. */
const inTicks = (act: (turn: Turn, tick: string) => void): Pick<Case, 'atParser'> => ({
  atParser: (turn) => {
    act(turn, 'at once');
    void Promise.resolve().then(() => act(turn, 'promise'));
    process.nextTick(() => {
      act(turn, 'tick');
      process.nextTick(() => {
        act(turn, 'second tick');
        process.nextTick(() => act(turn, 'third tick'));
      });
    });
  },
});
for (const [name, pieces] of [
  ['one read', ['all of it']],
  ['three reads', THREE],
  ['reads of 11 kB', [large(5000), large(6000)]],
] as const) {
  Object.assign(cases, {
    [`of ${name} that has come before its parser`]: { pieces, before: whole },
    [`of ${name} that has come in part before its parser`]: {
      pieces,
      before: late((req) => req.socket.bytesRead > 130),
    },
    [`of ${name} that waits, in front of the next request`]: {
      pieces,
      before: whole,
      behind: 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n',
    },
    [`of ${name} that waits, with the order of ticks`]: {
      pieces,
      before: whole,
      ...inTicks(({ note }, tick) => note(tick)),
    },
    [`of ${name} that waits, with listeners`]: {
      pieces,
      before: whole,
      atParser: listening('data', 'end', 'close', 'error'),
    },
    [`of ${name} that waits, and is answered meanwhile`]: {
      pieces,
      before: whole,
      atParser: ({ res }) => void res.send('early'),
    },
    [`of ${name} that waits, and is destroyed meanwhile`]: {
      pieces,
      before: whole,
      stays: true,
      atParser: ({ req }) => void req.destroy(),
    },
    [`of ${name} that waits, whose client leaves`]: {
      pieces,
      before: whole,
      stays: true,
      atParser: ({ client }) => client.drop(),
    },
    [`of ${name} that waits, paused and resumed`]: {
      pieces,
      before: whole,
      atParser: ({ req }) => {
        req.pause();
        setImmediate(() => req.resume());
      },
    },
  } satisfies Record<string, Case>);
  for (const tick of ['at once', 'promise', 'tick', 'second tick', 'third tick']) {
    cases[`of ${name} that waits, looked at: ${tick}`] = {
      pieces,
      before: whole,
      ...inTicks((turn, now) => {
        if (now === tick) state(turn);
      }),
    };
  }
}
for (const where of [1, 2]) {
  Object.assign(cases, {
    [`with listeners from read ${where} on`]: at(where, listening('data', 'end', 'close', 'error', 'aborted')),
    [`with a listener for its end from read ${where} on`]: at(where, listening('end')),
    [`looked at after read ${where}`]: at(where, state),
    [`paused after read ${where}, and resumed`]: at(where, ({ req }) => {
      req.pause();
      setImmediate(() => req.resume());
    }),
    [`read by hand after read ${where}`]: at(where, ({ req, note }) => note(['by hand', req.read()])),
    [`whose push() is replaced after read ${where}`]: at(where, ({ req, note }) => {
      const { push } = req;
      req.push = (chunk: Buffer | null) => {
        note(['push', chunk === null ? null : chunk.toString('latin1')]);
        return push.call(req, chunk);
      };
    }),
    [`that is destroyed after read ${where}`]: {
      ...at(where, ({ req }) => void req.destroy(new Error('of the test'))),
      stays: true,
    },
    [`whose answer is sent after read ${where}`]: at(where, ({ res }) => void res.send('early')),
    [`whose answer and request are looked at after read ${where}`]: at(where, (turn) => {
      turn.res.send('early');
      turn.res.on('finish', () => state(turn));
    }),
    [`whose client leaves after read ${where}`]: { ...at(where, ({ client }) => client.drop()), stays: true },
    [`whose client ends after read ${where}`]: { ...at(where, ({ client }) => void client.socket.end()), stays: true },
    [`with listeners, whose client leaves after read ${where}`]: {
      ...at(where, (turn) => {
        listening('data', 'end', 'close', 'error', 'aborted')(turn);
        turn.client.drop();
      }),
      stays: true,
    },
    [`whose end is awaited from read ${where} on, and whose client leaves`]: {
      ...at(where, ({ req, note, client }) => {
        finished(req, (error) => note(['finished', described(error)]));
        client.drop();
      }),
      stays: true,
    },
  } satisfies Record<string, Case>);
}

for (const [name, each] of Object.entries(cases)) {
  test(`a body ${name}`, async () => {
    const expected = await play(oracle, each);
    assert.ok(expected.notes.length > 0, 'nothing was noted');
    assert.deepEqual(await play(ours, each), expected);
  });
}

/** The chunks of a body whose length is not announced. */
const chunked = (body: string, size: number): string => {
  const chunks = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return `${chunks.join('')}0\r\n\r\n`;
};
for (const length of [99, 100, 101, 200, 9000])
  test(`a chunked body of ${length} octets that has come before its parser, whose limit is 100`, async () => {
    const told = async (make: Framework): Promise<unknown> => {
      const app = make();
      const errors: unknown[] = [];
      app.use(
        whole,
        make.raw({ type: '*/*', limit: 100 }),
        (req, res) => void res.send(String((req.body as Buffer).length)),
      );
      app.use(((error: Error & { status: number }, _req, res, _next) => {
        errors.push(described(error));
        res.status(error.status).send('refused');
      }) as express.ErrorRequestHandler);
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = await RawClient.open(server);
      try {
        const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n';
        await client.send(head + chunked('x'.repeat(length), 60));
        const { status, body } = await client.answer();
        return { status, body: body.toString(), errors };
      } finally {
        client.drop();
        server.close();
      }
    };
    const expected = await told(oracle);
    assert.equal((expected as { status: number }).status, length > 100 ? 413 : 200);
    assert.deepEqual(await told(ours), expected);
  });

test('a parser of an older copy, which cannot take what has arrived, reads the stream of a body that has come before it', async () => {
  const app = ours();
  const older = { limit: 100, whole: () => undefined, asStream: () => undefined };
  const taken: unknown[] = [];
  app.use(whole, (req, res, next) => {
    taken.push((req as CollectableRequest)[kCollectBody]!(older));
    next();
  });
  app.use(ours.text({ type: '*/*' }), (req, res) => void res.send(req.body));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nabc');
    assert.equal((await client.answer()).body.toString(), 'abc');
    assert.deepEqual(taken, [false]);
  } finally {
    client.drop();
    server.close();
  }
});

test('bodies that arrive at a time do not share memory', async () => {
  const app = ours();
  const bodies: Buffer[] = [];
  /** Whether the body was handed over without a stream. */
  const taken: unknown[] = [];
  app.use(ours.raw({ type: '*/*', limit: '2mb' }), (req, res) => {
    bodies.push(req.body as Buffer);
    taken.push(Reflect.get(req, kTaken));
    res.send('read');
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients = await Promise.all(Array.from({ length: 8 }, () => RawClient.open(server)));
  try {
    for (let piece = -1; piece < 10; piece++)
      for (const [i, client] of clients.entries()) {
        if (piece === -1)
          await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 200000\r\n\r\n');
        else await client.send(String.fromCharCode(97 + i).repeat(20_000));
      }
    for (const client of clients) await client.answer();
    assert.deepEqual(taken, Array(clients.length).fill(true));
    assert.equal(new Set(bodies.map((body) => body.buffer)).size, clients.length);
    const seen = bodies.map((body) => [body.length, body[0], body.every((octet) => octet === body[0])]);
    assert.deepEqual(
      seen.sort((a, b) => Number(a[1]) - Number(b[1])),
      clients.map((_, i) => [200_000, 97 + i, true]),
    );
  } finally {
    for (const client of clients) client.drop();
    server.close();
  }
});
