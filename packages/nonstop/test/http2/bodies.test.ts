import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { bounded } from '../support/bounded.js';
import { ours } from '../support/framework.js';
import { ask } from '../support/http2-client.js';
import { serve, serveFirst, type Served } from '../support/http2-server.js';
import { block, END_HEADERS, END_STREAM, Frame, frame, RawHttp2 } from '../support/raw-http2.js';

/*
 * How bodies of requests end: whole, late, dropped; `cut-bodies` has those that are cut off. Each as over HTTP/1, for the requests of this
 * package and for the first one of a server of node's.
 */

const doors: readonly (readonly [name: string, serve: typeof serve])[] = [
  ['a request', serve],
  ["a first request of node's", serveFirst],
];

const HEAD = { ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'raw' };
const JSON_HEAD = { ...HEAD, 'content-type': 'application/json' };
const PART = '{"a":';
const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL } = http2.constants;

const begin = (fields: Readonly<Record<string, string>>, part = PART): Buffer =>
  Buffer.concat([frame(Frame.Headers, END_HEADERS, 1, block(fields)), frame(Frame.Data, 0, 1, Buffer.from(part))]);
const last = (part: string): Buffer => frame(Frame.Data, END_STREAM, 1, Buffer.from(part));
const reset = (code: number): Buffer => frame(Frame.RstStream, 0, 1, Buffer.from([0, 0, 0, code]));

/** Notes what a request hears. */
function listen(req: http.IncomingMessage): string[] {
  const events: string[] = [];
  for (const name of ['end', 'aborted', 'error', 'close']) req.on(name, () => events.push(name));
  return events;
}

/** Ways to read a body, each with what it gives. */
const lateReaders: Readonly<Record<string, (req: http.IncomingMessage, res: http.ServerResponse) => Promise<unknown>>> =
  {
    'its event': async (req) => {
      await once(req.resume(), 'end');
      return 0;
    },
    iteration: async (req) => (await req.toArray()).length,
    'a parser': async (req, res) => {
      await new Promise((resolve) => ours.json()(req, res, resolve));
      return (req as { body?: unknown }).body;
    },
  };

const ABORTED = ['aborted', 'error', 'close'];
const ENDED = ['end', 'close'];

interface Play {
  readonly listener: (req: http.IncomingMessage, res: http.ServerResponse) => string[] | undefined;
  readonly fields?: Readonly<Record<string, string>>;
  readonly then: (client: RawHttp2, served: Served) => unknown;
}

/** Sends the beginning of a body, and what `then` sends. @returns the events of the request until it was closed, for at most half a second */
async function play(door: typeof serve, { listener, fields = HEAD, then }: Play): Promise<string[]> {
  let events: string[] | undefined;
  let began!: () => void;
  const handled = new Promise<void>((resolve) => (began = resolve));
  const served = await door(
    (req, res) => {
      events = listener(req, res);
      began();
    },
    { connectionsCheckingInterval: 10 } as object,
  );
  const client = await RawHttp2.open(served.server);
  client.send(begin(fields));
  await handled;
  await then(client, served);
  for (let i = 0; i < 100 && !events!.includes('close'); i++) await wait(5);
  const heard = [...events!];
  client.drop();
  await served.close();
  return heard;
}

const answered: Play['listener'] = (req, res) => {
  const events = listen(req);
  req.resume();
  res.end('x');
  return events;
};

for (const [name, door] of doors) {
  test(`${name} that times out has not ended`, async () => {
    const then = (_client: RawHttp2, { server }: Served): void => void Object.assign(server, { requestTimeout: 20 });
    const listener: Play['listener'] = (req) => {
      req.resume();
      return listen(req);
    };
    assert.deepEqual(await play(door, { listener, then }), ABORTED);
  });

  for (const [when, frames] of [
    ['', [last('1}')]],
    [' and reset in the same octets', [last('1}'), reset(NGHTTP2_NO_ERROR)]],
  ] as const) {
    test(`${name} that is sent to its end${when} ends, and closes`, async () => {
      const then = (client: RawHttp2): void => client.send(...frames);
      assert.deepEqual(await play(door, { listener: answered, then }), ENDED);
    });
  }

  for (const [how, leave] of [
    ['stream is reset', (client: RawHttp2) => client.send(reset(NGHTTP2_CANCEL))],
    ['connection is lost', (client: RawHttp2) => client.drop()],
  ] as const) {
    test(`${name} that was answered and not read is not aborted when its ${how}`, async () => {
      const listener: Play['listener'] = (req, res) => {
        res.end('x');
        return listen(req);
      };
      const then = async (client: RawHttp2): Promise<void> => {
        await client.until(Frame.Data, 1);
        leave(client);
      };
      assert.deepEqual(await play(door, { listener, then }), ENDED);
    });
  }

  test(`${name} that a parser has read closes when it is answered, as with node:http2`, async () => {
    const parse = ours.json();
    const events: string[] = [];
    const listener: Play['listener'] = (req, res) => {
      parse(req, res, () => {
        assert.deepEqual((req as { body?: unknown }).body, { a: 1 });
        events.push('parsed');
        req.on('close', () => events.push('close'));
        setTimeout(() => {
          events.push('answered');
          res.end();
        }, 20);
      });
      return events;
    };
    const then = (client: RawHttp2): void => client.send(last('1}'));
    assert.deepEqual(await play(door, { listener, fields: JSON_HEAD, then }), ['parsed', 'answered', 'close']);
  });

  test(`${name} that a parser has read is not aborted by a reset`, async () => {
    const parse = ours.json();
    let parsed: Promise<unknown> | undefined;
    let closed: Promise<unknown> | undefined;
    const errors: unknown[] = [];
    const listener: Play['listener'] = (req, res) => {
      closed = once(res, 'close');
      parsed = new Promise((resolve) => parse(req, res, resolve));
      void parsed.then(() =>
        req.on('aborted', () => errors.push('aborted')).on('error', (error) => errors.push(error)),
      );
      return ['close'];
    };
    const then = async (client: RawHttp2): Promise<void> => {
      client.send(last('1}'));
      await parsed;
      client.send(reset(NGHTTP2_CANCEL));
      await closed;
    };
    await play(door, { listener, fields: JSON_HEAD, then });
    assert.deepEqual(errors, []);
  });

  test(`${name} whose body is read ends with its stream, although its answer has no body`, async () => {
    const listener: Play['listener'] = (req, res) => {
      req.resume();
      res.writeHead(204).flushHeaders();
      return listen(req);
    };
    const then = async (client: RawHttp2): Promise<void> => {
      await client.until(Frame.Headers, 1);
      client.send(reset(NGHTTP2_NO_ERROR));
    };
    assert.deepEqual(await play(door, { listener, then }), ABORTED);
  });

  test(`${name} whose body was not read can be read when its stream is gone: it is empty`, async () => {
    const { session, close } = await door((req, res) => {
      res.end('x');
      // Not that of the response, after which the stream may be there for some time.
      const { stream } = res as http.ServerResponse & { stream: http2.ServerHttp2Stream };
      stream.once('close', () => setTimeout(() => void read(req).then(told), 10));
    });
    let told!: (octets: number) => void;
    const all = new Promise<number>((resolve) => (told = resolve));
    const read = async (req: http.IncomingMessage): Promise<number> => (await req.toArray()).length;
    const stream = session.request({ ':method': 'POST' }, { endStream: false });
    stream.write('part');
    stream.resume();
    assert.equal(await all, 0);
    await close();
  });

  for (const [way, read] of Object.entries(lateReaders)) {
    test(`${name} with an empty body that has ended before it is read: ${way}`, async () => {
      let heard!: (what: unknown) => void;
      const told = new Promise<unknown>((resolve) => (heard = resolve));
      const { server, close } = await door((req, res) => {
        const { stream } = res as http.ServerResponse & { stream: http2.ServerHttp2Stream };
        const late = (): void => {
          if (!stream.readableEnded) return void setImmediate(late);
          void read(req, res).then(heard);
        };
        setImmediate(late);
      });
      const client = await RawHttp2.open(server);
      // In one segment, so that the end has come when a handler reads later.
      client.send(Buffer.concat([frame(Frame.Headers, END_HEADERS, 1, block(JSON_HEAD)), last('')]));
      assert.deepEqual(await bounded(told, () => 'the end of the body'), way === 'a parser' ? {} : 0);
      client.drop();
      await close();
    });
  }
}

test('a request reads its body although its stream was paused', async () => {
  const all = await serve((req, res) => {
    (req as never as { stream: NodeJS.ReadableStream }).stream.pause();
    let size = 0;
    req.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => res.end(String(size)));
  });
  assert.equal(
    (await ask(all.session, { headers: { ':method': 'POST' }, body: 'x'.repeat(100) })).body.toString(),
    '100',
  );
  await all.close();
});
