import assert = require('node:assert/strict');
import { EventEmitter, once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import type net = require('node:net');
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { until } from '../support/bounded.js';
import { answerOf } from '../support/http2-client.js';
import { serve, serveFirst } from '../support/http2-server.js';

/* What programs do with requests and responses of node:http. Over HTTP/2 it has the same effects. */

type Note = (what: unknown) => void;
type Handler = (req: http.IncomingMessage, res: http.ServerResponse, note: Note) => unknown;

interface Scene {
  /** Absent for a GET request. */
  readonly body?: string;
  /** The client leaves as soon as the handler has run. */
  readonly leaves?: boolean;
  readonly handler: Handler;
  /** Called when the response has closed. */
  readonly later?: Handler;
}

interface Client {
  /** @returns the answer's status and body, which a client that leaves does not have */
  ask(body: string | undefined, left: Promise<unknown>): Promise<unknown>;
  close(): Promise<unknown>;
}
type Door = (listener: (req: http.IncomingMessage, res: http.ServerResponse) => void) => Promise<Client>;

const over1: Door = async (listener) => {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    async ask(body, left) {
      const method = body === undefined ? 'GET' : 'POST';
      const request = http.request({ port, host: '127.0.0.1', method, agent: false }).on('error', () => undefined);
      request.end(body);
      const answer = once(request, 'response')
        .then(async ([response]) => {
          const { statusCode } = response as http.IncomingMessage;
          return [statusCode, (await (response as http.IncomingMessage).toArray()).join('')];
        })
        .catch(() => undefined);
      const gone = left.then(() => void request.destroy());
      return await Promise.race([answer, gone]);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const over2 =
  (open: typeof serve): Door =>
  async (listener) => {
    const { session, close } = await open((req, res) => {
      res.removeHeader('X-Powered-By');
      listener(req, res);
    });
    return {
      async ask(body, left) {
        const stream = session.request(
          { ':method': body === undefined ? 'GET' : 'POST' },
          { endStream: body === undefined },
        );
        if (body !== undefined) stream.end(body);
        const answer = answerOf(stream).then((told) => [told.status, told.body.toString()]);
        const gone = left.then(() => stream.close(http2.constants.NGHTTP2_CANCEL));
        return await Promise.race([answer, gone]);
      },
      close,
    };
  };

async function play({ body, leaves, handler, later }: Scene, door: Door): Promise<unknown> {
  const notes: unknown[] = [];
  const note: Note = (what) => void notes.push(what);
  let messages: [http.IncomingMessage, http.ServerResponse] | undefined;
  let leave: () => void = () => undefined;
  const client = await door((req, res) => {
    messages = [req, res];
    // What a client that leaves causes is not an error of the test.
    req.once('error', () => undefined);
    handler(req, res, note);
    if (leaves) setImmediate(leave);
  });
  const answer = await client.ask(body, new Promise<void>((resolve) => (leave = resolve)));
  const [req, res] = messages!;
  await until(
    () => res.destroyed,
    () => `the end of a response; noted ${JSON.stringify(notes)}`,
  );
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  later?.(req, res, note);
  await client.close();
  return { answer: leaves ? undefined : answer, notes };
}

const doors: readonly (readonly [name: string, door: Door])[] = [
  ['a request', over2(serve)],
  ["a first request of node's", over2(serveFirst)],
];

function same(name: string, scene: Scene): void {
  for (const [what, door] of doors) {
    test(`${name}: ${what}`, async () => assert.deepEqual(await play(scene, door), await play(scene, over1)));
  }
}

type Signalled = http.IncomingMessage & { readonly signal: AbortSignal };

function follow(req: http.IncomingMessage, note: Note): void {
  const { signal } = req as Signalled;
  note(['at first', signal.aborted]);
  signal.addEventListener('abort', () => note('abort'));
}

const atLast: Handler = (req, _res, note) => note(['at last', (req as Signalled).signal.aborted]);

const signals: Readonly<Record<string, Scene>> = {
  'the signal of an answered request is not aborted': {
    handler: (req, res, note) => {
      follow(req, note);
      res.end('x');
    },
  },
  'the signal of a request that is answered later is not aborted': {
    handler: (req, res, note) => {
      follow(req, note);
      setImmediate(() => res.end('x'));
    },
  },
  'the signal of a request with a body is not aborted': {
    body: 'body',
    handler: (req, res, note) => {
      follow(req, note);
      req.resume().on('end', () => res.end('x'));
    },
  },
  'the signal of a request whose body is not read is not aborted': {
    body: 'body',
    handler: (req, res, note) => {
      follow(req, note);
      res.end('x');
    },
  },
  'the signal of a request whose client leaves is aborted': {
    leaves: true,
    handler: (req, _res, note) => follow(req, note),
  },
  'the signal of a request whose client leaves a part of the answer is aborted': {
    leaves: true,
    handler: (req, res, note) => {
      follow(req, note);
      res.write('part');
    },
  },
  'the signal of a request that was read and whose client leaves is aborted': {
    leaves: true,
    body: 'body',
    handler: (req, _res, note) => {
      follow(req, note);
      req.resume();
    },
  },
  'the signal of a destroyed request is aborted': {
    leaves: true,
    handler: (req, _res, note) => {
      follow(req, note);
      req.destroy();
    },
  },
  'the signal of a destroyed response is aborted': {
    leaves: true,
    handler: (req, res, note) => {
      follow(req, note);
      res.destroy();
    },
  },
  'a signal that is first asked for behind the answer is not aborted': { handler: (_req, res) => res.end('x') },
  'a signal that is first asked for when the client has left is aborted': { leaves: true, handler: () => undefined },
};

for (const [name, scene] of Object.entries(signals)) {
  if ('signal' in http.IncomingMessage.prototype) same(name, { ...scene, later: atLast });
  else test(name, { skip: 'this version of Node has no req.signal' }, () => undefined);
}

const inherits = <T extends object>(message: T): T => Object.create(message) as T;

/** Accessors of node's prototypes that have a setter. */
const WRITABLE = {
  req: ['trailers', 'trailersDistinct', 'headersDistinct', 'rawTrailers', 'client', 'aborted', 'statusMessage'],
  res: ['statusMessage'],
};

const sockets: Record<string, Scene> = {};
for (const name of ['socket', 'connection'] as const) {
  sockets[`${name} of a request is another`] = {
    handler: (req, res, note) => {
      const { socket } = req;
      const other = { another: true };
      Object.assign(req, { [name]: other });
      note([(req.socket as object) === other, (req.connection as object) === other]);
      req.socket = socket;
      res.end('x');
    },
  };
  sockets[`${name} of a response is taken away and put back`] = {
    handler: (_req, res, note) => {
      const { socket } = res;
      Object.assign(res, { [name]: null });
      note([res.socket, res.connection]);
      Object.assign(res, { socket });
      res.end('x');
    },
  };
}

const CHAINED = ['setNoDelay', 'setKeepAlive', 'setTimeout', 'ref', 'on', 'once', 'prependListener', 'off'] as const;

const warnings: string[] = [];
process.on('warning', ({ name }) => warnings.push(name));

const deadline =
  (set: (socket: net.Socket, heard: () => void) => unknown): Handler =>
  ({ socket }, res, note) => {
    res.on('timeout', (of: unknown) => note(['timeout', of === socket]));
    set(socket, () => {
      note('timeout of the socket');
      res.end('x');
    });
  };

const scenes: Readonly<Record<string, Scene>> = {
  ...sockets,
  'methods of a socket return it': {
    handler: ({ socket }, res, note) => {
      const methods = socket as unknown as Record<string, (...given: unknown[]) => unknown>;
      for (const name of CHAINED) note([name, methods[name](name === 'setTimeout' ? 5000 : 'mine', note) === socket]);
      res.end('x');
    },
  },
  'a socket has the properties that a program gives it': {
    handler: ({ socket }, res, note) => {
      const holder = socket as unknown as Record<string, unknown>;
      holder['assigned'] = note;
      Object.defineProperty(socket, 'defined', { value: 1 });
      note([holder['assigned'] === note, holder['defined'], Object.hasOwn(socket, 'defined')]);
      note([Object.keys(socket).includes('assigned'), delete holder['assigned'], holder['assigned']]);
      res.end('x');
    },
  },
  'a socket may have more listeners': {
    handler: ({ socket }, res) => {
      warnings.length = 0;
      socket.setMaxListeners(30);
      for (let i = 0; i < 25; i++) socket.on('close', () => undefined);
      res.end('x');
    },
    later: (_req, _res, note) => note([...warnings]),
  },
  "a listener hears of a socket's deadline": {
    handler: deadline((socket, heard) => socket.setTimeout(10).on('timeout', heard)),
  },
  "a callback hears of a socket's deadline": { handler: deadline((socket, heard) => socket.setTimeout(10, heard)) },
  "a socket's deadline is taken back": {
    handler: (req, res, note) => {
      const late: () => void = () => note('late');
      req.socket.setTimeout(5, late);
      req.socket.setTimeout(0, late);
      setTimeout(() => res.end('x'), 20);
    },
  },
  'an object that inherits from a request gets its body': {
    body: 'body',
    handler: (req, res, note) => {
      let body = '';
      inherits(req)
        .on('data', (part: Buffer) => (body += String(part)))
        .on('end', () => res.end(body));
      res.on('close', () => note([body, req.complete, req.aborted]));
    },
  },
  'an object that inherits from a request gets what its request has been asked for too': {
    body: 'body',
    handler: (req, res, note) => {
      for (const each of [req, inherits(req)]) each.on('data', (part: Buffer) => note(String(part)));
      req.on('end', () => res.end('x'));
    },
  },
  'an object that inherits from a request without a body ends': {
    handler: (req, res) => {
      inherits(req)
        .on('end', () => res.end('ended'))
        .resume();
    },
  },
  'an object that inherits from a request has its socket': {
    handler: (req, res) => res.end(String(inherits(req).socket === req.socket)),
  },
  'an object that inherits from a request hears that the client leaves': {
    leaves: true,
    body: 'body',
    handler: (req, _res, note) => {
      const own = inherits(req).resume();
      own.on('close', () => note([own.destroyed, req.destroyed]));
    },
  },
  'an answer is written in other encodings': {
    handler: (_req, res) => {
      res.write('6869', 'hex');
      res.end('6869', 'hex');
    },
  },
  'an answer is ended in another encoding': { handler: (_req, res) => res.end('aGkh', 'base64') },
  'an array of another realm is a body': {
    handler: (_req, res) => res.end(runInNewContext('new Uint8Array([104, 105])') as Uint8Array),
  },
  'an array of another realm is a part of a body': {
    handler: (_req, res) => {
      res.write(runInNewContext('new Uint8Array([104, 105])') as Uint8Array);
      res.end('x');
    },
  },
  'a socket tells whether it was destroyed': {
    leaves: true,
    handler: ({ socket }, _res, note) => note([socket.destroyed, socket.destroy().destroyed]),
  },
  'the client of a request is its socket': {
    handler: (req, res) => res.end(String((req as { client?: unknown }).client === req.socket)),
  },
  'a field is read by a name that is no text': {
    handler: (_req, res, note) => {
      try {
        res.getHeader(7 as never);
      } catch (error) {
        note((error as NodeJS.ErrnoException).code);
      }
      res.end('x');
    },
  },
  'a response tells how it writes': {
    handler: (_req, res, note) => {
      const tell = (): void => note([res.writableCorked, res.writableLength > 0]);
      note([res.writableObjectMode, res.writableHighWaterMark]);
      tell();
      res.cork();
      res.write('x');
      tell();
      res.uncork();
      note(res.writableCorked);
      res.end('y');
    },
  },
  'members are written by a program': {
    handler: (req, res, note) => {
      const holders = { req, res } as unknown as Record<string, Record<string, unknown>>;
      for (const [of, names] of Object.entries(WRITABLE)) {
        for (const name of names) {
          const value = { of: name };
          holders[of][name] = value;
          note([of, name, holders[of][name] === value]);
        }
      }
      res.end('x');
    },
  },
  "what is not an array of octets is refused, though its prototype is one's": {
    handler: (_req, res, note) => {
      try {
        res.end(Object.create(Uint8Array.prototype));
      } catch (error) {
        note((error as NodeJS.ErrnoException).code);
        res.end('x');
      }
    },
  },
};

for (const [name, scene] of Object.entries(scenes)) same(name, scene);

for (const [what, door] of doors) {
  test(`a socket's deadline without a listener ends its exchange: ${what}`, async () => {
    const scene: Scene = {
      handler: (req, res, note) => {
        res.on('close', () => note([req.aborted, res.writableFinished]));
        req.socket.setTimeout(10);
      },
    };
    const { notes } = (await play(scene, door)) as { notes: unknown };
    assert.deepEqual(notes, ((await play(scene, over1)) as { notes: unknown }).notes);
  });

  test(`what an async listener of a response throws destroys it, if rejections are captured: ${what}`, async () => {
    const scene: Scene = {
      leaves: true,
      handler: (_req, res, note) => {
        // oxlint-disable-next-line typescript/no-misused-promises -- this is what is captured
        res.on('mine', () => Promise.reject(new Error('thrown')));
        res.on('error', () => note('error'));
        res.on('close', () => note(res.errored?.message));
        res.write('part');
        res.emit('mine');
      },
    };
    EventEmitter.captureRejections = true;
    try {
      assert.deepEqual(await play(scene, door), await play(scene, over1));
    } finally {
      EventEmitter.captureRejections = false;
    }
  });
}
