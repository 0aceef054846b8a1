import assert = require('node:assert/strict');
import { once } from 'node:events';
import { test } from 'node:test';
import type express = require('express');
import { maskDate } from '../support/both-doors.js';
import { described, type Note } from '../support/beside-express.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { promise } from '../support/served.js';
import { ServerEnds } from '../support/server-ends.js';
import { SIDES, type Side } from './stage.js';

/** A body that arrives after its head, in pieces that the server reads one by one. */
interface Scene {
  readonly name: string;
  readonly app: (app: express.Express, make: Framework, note: Note) => void;
  /** Each piece is sent once the server has read the one before; a function is called instead of sent. */
  readonly send: readonly (string | ((client: RawClient) => unknown))[];
  /** The scene ends after that many notes and that many answers. */
  readonly notes: number;
  readonly answers?: number;
}

const HANG_MS = 15_000;

async function until(what: string, holds: () => boolean): Promise<void> {
  const patience = Date.now() + HANG_MS;
  while (!holds()) {
    if (Date.now() > patience) throw new Error(`waited ${HANG_MS} ms for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function play({ make, engine, by }: Side, scene: Scene): Promise<unknown> {
  const notes: unknown[] = [];
  const app = make();
  app.set('env', 'test');
  if (engine !== undefined) app.set('engine', engine);
  scene.app(app, make, (what) => notes.push(what));
  const server = promise(app.listen(0, '127.0.0.1'), by);
  const ends = new ServerEnds(server);
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    for (const piece of scene.send) {
      await ends.haveRead(client);
      if (typeof piece === 'string') await client.send(piece);
      else await piece(client);
    }
    await until(`${scene.notes} notes, of which there are ${JSON.stringify(notes)}`, () => notes.length >= scene.notes);
    for (let i = scene.answers ?? 0; i > 0; i--) await client.answer();
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
    return { wire: maskDate(client.received), notes };
  } finally {
    client.drop();
    const closed = once(server, 'close');
    server.closeAllConnections();
    server.close();
    await closed;
  }
}

const head = (fields: string, line = 'POST / HTTP/1.1'): string =>
  `${line}\r\nHost: test\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
const length = (octets: number): string => head(`Content-Length: ${octets}`);

const tell = (note: Note): express.ErrorRequestHandler => {
  return (error: Error & { status?: number }, _req, res, _next) => {
    note(['error', described(error)]);
    if (!res.headersSent) res.status(error.status ?? 500).send(error.message);
  };
};
const handle = (note: Note): express.RequestHandler => {
  return (req, res) => {
    note(['handler', req.body]);
    if (!res.headersSent) res.json(req.body);
  };
};

const rewritten = (value: unknown): Scene['app'] => {
  return (app, make, note) => {
    app.use((req, _res, next) => {
      (req.headers as Record<string, unknown>)['content-length'] = value;
      next();
    });
    app.use(make.json(), handle(note), tell(note));
  };
};

const lengths: Scene[] = [20, '20', 7, '7 ', ' 7', '6', '7.9', '', null, undefined, '07', 'x', true, ['7']].flatMap(
  (value) =>
    [length(7), head('Transfer-Encoding: chunked')].map((start, i): Scene => {
      const body = i === 0 ? '{"a":1}' : '7\r\n{"a":1}\r\n0\r\n\r\n';
      return {
        name: `${i === 0 ? 'a Content-Length' : 'chunks,'} rewritten to ${JSON.stringify(value)} before the parser`,
        app: rewritten(value),
        send: [start, body.slice(0, 4), body.slice(4)],
        notes: 1,
        answers: 1,
      };
    }),
);

const answering = (parsing: (make: Framework) => express.RequestHandler, then?: (res: express.Response) => void) => {
  return (answer: { now?: () => void }): Scene['app'] =>
    (app, make, note) => {
      app.use((_req, res, next) => {
        answer.now = () => {
          res.status(503).end('late');
          then?.(res);
        };
        next();
      });
      app.use(parsing(make), handle(note), tell(note));
    };
};

const early: Scene[] = (
  [
    ['goes on', (make) => make.json(), length(7), '{"a"', ':1}'],
    [
      'goes on with chunks',
      (make) => make.json(),
      head('Transfer-Encoding: chunked'),
      '3\r\n{"a',
      '\r\n4\r\n":1}\r\n0\r\n\r\n',
    ],
    ['that verifies goes on', (make) => make.json({ verify: () => undefined }), length(7), '{"a"', ':1}'],
    ['tells a syntax error', (make) => make.json(), length(7), '{"a"', ';1}'],
    [
      'tells that there is too much',
      (make) => make.json({ limit: 5 }),
      head('Transfer-Encoding: chunked'),
      '4\r\n{"a"\r\n',
      '3\r\n:1}\r\n0\r\n\r\n',
    ],
  ] as readonly (readonly [string, (make: Framework) => express.RequestHandler, string, string, string])[]
).flatMap(([name, parsing, start, first, second]) => {
  const answer: { now?: () => void } = {};
  const app = answering(parsing)(answer);
  const now = (): void => answer.now?.();
  const ask = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
  return [
    { name: `a parser ${name} when the answer is given before the body`, send: [start, now, first, second] },
    { name: `a parser ${name} when the answer is given within the body`, send: [start, first, now, second] },
    {
      name: `a parser ${name}, and so does the connection`,
      send: [start, first, now, second, ask],
      answers: 2,
      notes: 2,
    },
  ].map((scene) => ({ notes: 1, answers: 1, ...scene, app }));
});

/** As middleware does that gives inner handlers a request of their own. */
const derived: Scene[] = [
  [length(7), '{"a"', ':1}'],
  [length(7) + '{"a":1}'],
  [head('Transfer-Encoding: chunked'), '3\r\n{"a', '\r\n4\r\n":1}\r\n0\r\n\r\n'],
].map((send) => ({
  name: `a body in ${send.length} pieces is read through an object that inherits from its request`,
  app: (app, make, note) => {
    const json = make.json();
    app.use((req, res) => {
      const own = Object.create(req) as typeof req;
      json(own, res, (error?: unknown) => {
        note(['parsed', error, own.body, 'body' in req]);
        res.json(own.body);
      });
    });
  },
  send,
  notes: 1,
  answers: 1,
}));

/** What a reader gets of a body, and whether that is octets. */
const given = (value: unknown): unknown => [
  Buffer.isBuffer(value),
  Buffer.isBuffer(value) ? value.toString('hex') : value,
];

const readers: Readonly<Record<string, (make: Framework, note: Note) => express.RequestHandler>> = {
  'json()': (make) => make.json(),
  'json() that verifies': (make, note) =>
    make.json({ verify: (_req, _res, octets, charset) => note([given(octets), charset]) }),
  'text()': (make) => make.text({ type: '*/*' }),
  'urlencoded()': (make) => make.urlencoded({ type: '*/*', extended: false }),
  'urlencoded() of Latin-1': (make) =>
    make.urlencoded({ type: '*/*', extended: false, defaultCharset: 'iso-8859-1' } as object),
  'raw()': (make) => make.raw({ type: '*/*' }),
  "a listener for 'data'": (_make, note) => (req, _res, next) => {
    req.on('data', (part) => note(given(part)));
    req.on('end', () => next());
  },
};

const BODIES = [
  '{"a":1}',
  '{"a":"\xc3\xa9"}',
  '{"a":"\xff"}',
  '\xef\xbb\xbf{"a":1}',
  '{"a"',
  'a=1&b=%C3%A9+%26',
  'a%5B0%5D=\xe9',
];

/** Read by the engine at once with their heads, so that they are text at first. */
const together: Scene[] = Object.entries(readers).flatMap(([name, reader]) =>
  BODIES.map((body) => ({
    name: `the body ${JSON.stringify(body)} that comes with its head is read by ${name}`,
    app: (app, make, note) => {
      app.use(reader(make, note));
      app.use((req, res) => {
        note(['body', given(req.body)]);
        res.end();
      });
      const failed: express.ErrorRequestHandler = (error: Error & { body?: unknown }, _req, res, _next) => {
        note([error.message, given(error.body)]);
        res.end();
      };
      app.use(failed);
    },
    send: [length(body.length) + body],
    notes: 1,
    answers: 1,
  })),
);

const streamOf = (req: express.Request): unknown => [
  [req.destroyed, req.closed, req.readable, req.readableEnded, req.readableFlowing, req.readableDidRead],
  [req.readableAborted, req.readableLength, req.complete, req.listenerCount('close')],
];

/** What a handler does with a request whose body was parsed. */
const usesAfter: Readonly<Record<string, (req: express.Request, note: Note) => unknown>> = {
  'looks at the stream': (req, note) => note(streamOf(req)),
  "listens for 'close'": (req, note) => req.on('close', () => note(['close', streamOf(req)])),
  "listens for 'end'": (req, note) => req.on('end', () => note('end')),
  'looks behind an await': async (req, note) => {
    await Promise.resolve();
    note(streamOf(req));
  },
  'looks in the next turn': (req, note) => setImmediate(() => note(streamOf(req))),
  'destroys it': (req, note) => {
    req.on('close', () => note('close')).destroy();
    note(streamOf(req));
  },
  'destroys it with an error': (req, note) => {
    req.on('error', (error) => note(error.message)).on('close', () => note('close'));
    req.destroy(new Error('for this reason'));
  },
  'reads on': (req, note) => {
    req.on('data', () => note('data')).resume();
    note([req.read(), streamOf(req)]);
  },
};

const parsersOf: Readonly<Record<string, (make: Framework) => express.RequestHandler>> = {
  'json()': (make) => make.json(),
  'urlencoded()': (make) => make.urlencoded({ type: '*/*', extended: false }),
  'raw()': (make) => make.raw({ type: '*/*' }),
};

/** The handler runs while the stream of the request emits its end. */
const after: Scene[] = Object.entries(parsersOf).flatMap(([name, parser]) =>
  Object.entries(usesAfter).flatMap(([use, act]) =>
    ['{"a":1}', ''].map((body) => ({
      name: `behind ${name} of ${body.length} octets, a handler ${use}`,
      app: (app, make, note) => {
        app.use(parser(make));
        app.use((req, res) => {
          act(req, note);
          setImmediate(setImmediate, () => res.end(JSON.stringify(streamOf(req))));
        });
      },
      send: [length(body.length) + body],
      notes: 0,
      answers: 1,
    })),
  ),
);

/** No code has used the stream of the request before. */
const behind: Scene[] = Object.entries(parsersOf).flatMap(([name, parser]) =>
  ['{"a":1}', ''].map((body) => ({
    name: `behind the answer, a handler looks at the stream of a request of which ${name} has read ${body.length} octets`,
    app: (app, make, note) => {
      app.use(parser(make));
      app.use((req, res) => {
        res.once('close', () => setImmediate(() => note(streamOf(req))));
        res.end();
      });
    },
    send: [`${head('Transfer-Encoding: chunked')}${body && `7\r\n${body}\r\n`}0\r\n\r\n`],
    notes: 1,
    answers: 1,
  })),
);

for (const scene of [...lengths, ...early, ...derived, ...together, ...after, ...behind]) {
  test(scene.name, async () => {
    const [oracle, ...subjects] = SIDES;
    const expected = await play(oracle, scene);
    for (const side of subjects) assert.deepEqual(await play(side, scene), expected, side.name);
  });
}
