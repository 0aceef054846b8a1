import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import { answerOf, ask, type Http2Answer } from '../support/http2-client.js';
import { serve } from '../support/http2-server.js';

/*
 * Ends of answers that a handler or a client brings about in an unusual order; each is as over HTTP/1. Random programs look for more
 * (test/fuzz/streams).
 */

type Listener = (req: http.IncomingMessage, res: http.ServerResponse) => unknown;

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = http2.constants;

const told = ({ status, body, reset, whole }: Http2Answer): unknown => ({
  status,
  body: body.toString(),
  reset,
  whole,
});
const WHOLE = { status: 200, body: 'whole', reset: NGHTTP2_NO_ERROR, whole: true };

/** Notes what a message and its response hear. */
function listen(req: http.IncomingMessage, res: http.ServerResponse): string[] {
  const events: string[] = [];
  for (const name of ['aborted', 'error']) req.on(name, () => events.push(`req ${name}`));
  for (const name of ['finish', 'close', 'error']) res.on(name, () => events.push(`res ${name}`));
  return events;
}

/** Sends a request to a listener. @returns the answer, and what its messages have heard when the response was closed */
async function exchange(
  listener: Listener,
  asked: http2.OutgoingHttpHeaders,
  body?: 'none' | 'open',
): Promise<{ answer: Http2Answer; events: string[] }> {
  let events: string[] = [];
  let closed: Promise<unknown> | undefined;
  const { session, close } = await serve((req, res) => {
    events = listen(req, res);
    closed = once(res, 'close');
    return listener(req, res);
  });
  const stream = session.request(asked, { endStream: body !== 'open' });
  const answer = await answerOf(stream);
  await closed;
  await close();
  return { answer, events };
}

test('an object that inherits from a response ends it, with its events once', async () => {
  const { answer, events } = await exchange(
    (_req, res) => {
      const own = Object.create(res) as http.ServerResponse;
      own.write('wh');
      own.end('ole');
    },
    { ':method': 'POST' },
  );
  assert.deepEqual(told(answer), WHOLE);
  assert.deepEqual(
    events.filter((each) => each.startsWith('res')),
    ['res finish', 'res close'],
  );
});

const DESTROYED: readonly (readonly [name: string, destroy: Listener])[] = [
  ['res.destroy()', (_req, res) => res.destroy()],
  ['res.destroy(error)', (_req, res) => res.destroy(new Error('by the handler'))],
  ['req.destroy()', (req) => req.destroy()],
  ['req.socket.destroy()', (req) => req.socket.destroy()],
];

for (const [name, destroy] of DESTROYED) {
  for (const body of ['none', 'open'] as const) {
    test(`an answer before ${name} is sent whole${body === 'open' ? ', and the rest of the request is not wanted' : ''}`, async () => {
      const { answer, events } = await exchange(
        (req, res) => {
          res.end('whole');
          destroy(req, res);
        },
        { ':method': 'POST' },
        body,
      );
      assert.deepEqual(told(answer), WHOLE);
      assert.ok(events.includes('res finish'), String(events));
    });
  }
}

for (const [name, destroy] of DESTROYED) {
  test(`an answer larger than the window of its stream is cut off by ${name}`, async () => {
    const { answer, events } = await exchange((req, res) => {
      res.end('x'.repeat(1_000_000));
      destroy(req, res);
    }, {});
    assert.deepEqual([answer.whole, answer.reset], [false, NGHTTP2_INTERNAL_ERROR]);
    assert.ok(!events.includes('res finish'), String(events));
  });
}

for (const [name, destroy] of DESTROYED) {
  // As over HTTP/1, where the connection ends in the middle of the body. For CANCEL node's client reports no error.
  test(`a client hears of an answer that ${name} breaks off`, async () => {
    const { session, close } = await serve((req, res) => {
      res.write('part');
      setImmediate(destroy, req, res);
    });
    const stream = session.request({}).resume();
    const [error] = (await once(stream, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ERR_HTTP2_STREAM_ERROR');
    await close();
  });
}

for (const [name, end] of [
  ['req.socket.end()', (req) => req.socket.end()],
  ['res.socket.end()', (_req, res) => res.socket!.end()],
  ['req.socket.destroySoon()', (req) => req.socket.destroySoon()],
] as readonly (readonly [name: string, end: Listener])[]) {
  test(`an answer larger than the window of its stream is sent whole before ${name}`, async () => {
    const large = 'x'.repeat(1_000_000);
    const { answer, events } = await exchange((req, res) => {
      res.end(large);
      end(req, res);
    }, {});
    assert.deepEqual([answer.whole, answer.body.length, events], [true, large.length, ['res finish', 'res close']]);
  });
}

for (const method of ['GET', 'POST']) {
  test(`the answer to ${method} is sent when its handler has removed res.req`, async () => {
    const { answer, events } = await exchange(
      (_req, res) => {
        delete (res as { req?: unknown }).req;
        if (method === 'POST') res.write('');
        res.end('whole');
      },
      { ':method': method },
    );
    assert.deepEqual(told(answer), WHOLE);
    assert.deepEqual(events, ['res finish', 'res close']);
  });
}

test('an answer in parts that is destroyed before its end is reset', async () => {
  const { answer, events } = await exchange((_req, res) => {
    res.write('part');
    res.destroy();
    res.end('late');
  }, {});
  assert.deepEqual([answer.whole, answer.reset], [false, NGHTTP2_INTERNAL_ERROR]);
  assert.ok(!events.includes('res finish'), String(events));
});

for (const [how, destroy] of [
  ['res.destroy()', (_req, res) => res.destroy()],
  ['res.destroy(error)', (_req, res) => res.destroy(new Error('x'))],
  ['req.socket.destroy()', (req) => req.socket.destroy()],
] as [string, (req: http.IncomingMessage, res: http.ServerResponse) => void][]) {
  test(`${how} after a part of an answer with a length resets the stream, and does not end it first`, async () => {
    const { answer } = await exchange((req, res) => {
      res.setHeader('Content-Length', 100).write('part', () => setTimeout(destroy, 5, req, res));
    }, {});
    // The client itself resets an answer that ends too early, with PROTOCOL_ERROR.
    assert.deepEqual([answer.whole, answer.reset], [false, NGHTTP2_INTERNAL_ERROR]);
  });
}

const BODILESS: readonly (readonly [name: string, method: string, head: (res: http.ServerResponse) => void])[] = [
  ['an answer to HEAD', 'HEAD', (res) => res.flushHeaders()],
  ['an answer with status 204', 'GET', (res) => res.writeHead(204).flushHeaders()],
  ['an answer with status 304', 'GET', (res) => res.writeHead(304).flushHeaders()],
];

for (const [name, method, head] of BODILESS) {
  test(`${name} whose head is sent before its end is not cut off: its handler ends it later`, async () => {
    const { answer, events } = await exchange(
      (req, res) => {
        head(res);
        // The stream has ended for both sides by then.
        (req as unknown as { stream: http2.ServerHttp2Stream }).stream.once('close', () =>
          setImmediate(() => {
            assert.deepEqual([res.destroyed, res.closed, req.aborted], [false, false, false]);
            res.end();
          }),
        );
      },
      { ':method': method },
    );
    assert.deepEqual([answer.whole, answer.body.length], [true, 0]);
    assert.deepEqual(events, ['res finish', 'res close']);
  });
}

test('an answer to HEAD that its handler never ends closes with its session', async () => {
  let closed!: Promise<unknown>;
  let events: string[] = [];
  const { session, close } = await serve((req, res) => {
    events = listen(req, res);
    closed = once(res, 'close');
    res.flushHeaders();
  });
  const answer = await ask(session, { headers: { ':method': 'HEAD' } });
  assert.equal(answer.whole, true);
  assert.deepEqual(events, []);
  session.destroy();
  await closed;
  assert.deepEqual(events, ['req aborted', 'res close', 'req error']);
  await close();
});

test('a session keeps 128 of the answers to HEAD that are never ended', async () => {
  const closed: string[] = [];
  const { session, close } = await serve((req, res) => {
    res.on('close', () => closed.push(req.url!));
    res.flushHeaders();
  });
  for (let i = 0; i < 130; i++) await ask(session, { headers: { ':method': 'HEAD', ':path': `/${i}` } });
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(closed, ['/0', '/1']);
  await close();
});

test('answers to HEAD that are ended later do not count among those 128', async () => {
  const waiting: http.ServerResponse[] = [];
  const closed: string[] = [];
  const { session, close } = await serve((req, res) => {
    res.on('close', () => closed.push(req.url!));
    res.flushHeaders();
    waiting.push(res);
  });
  const head = (path: string): Promise<unknown> => ask(session, { headers: { ':method': 'HEAD', ':path': path } });
  await head('/first');
  for (let i = 0; i < 130; i++) {
    await head('/ended');
    const res = waiting.pop()!;
    const ended = once(res, 'close');
    res.end();
    await ended;
  }
  assert.deepEqual(new Set(closed), new Set(['/ended']));
  await close();
});

test('a response has no socket for the listeners of its finish, and cannot be held back then', async () => {
  const sockets: unknown[] = [];
  const { answer } = await exchange((req, res) => {
    res.on('prefinish', () => res.cork());
    res.on('finish', () => sockets.push(res.socket, req.socket));
    res.write('wh');
    res.end('ole');
  }, {});
  assert.deepEqual(told(answer), WHOLE);
  assert.equal(sockets[0], null);
  assert.notEqual(sockets[1], null);
});

test('a listener for a deadline gets the socket of the message', async () => {
  const { events } = await exchange((req, res) => {
    res.setTimeout(1, ((socket: unknown) => {
      assert.equal(socket, req.socket);
      res.end('whole');
    }) as () => void);
  }, {});
  assert.deepEqual(events, ['res finish', 'res close']);
});

test('the callback of a write hears that its octets were dropped', async () => {
  const errors: (NodeJS.ErrnoException | null | undefined)[] = [];
  await exchange((_req, res) => {
    res.cork();
    res.write('part', (error) => errors.push(error));
    res.destroy();
  }, {});
  assert.deepEqual(
    errors.map((error) => error?.code),
    ['ERR_STREAM_DESTROYED'],
  );
});

const REFUSED: Readonly<Record<string, (res: http.ServerResponse) => unknown>> = {
  'octets whose memory was transferred': (res) => {
    const octets = new Uint8Array(3);
    structuredClone(octets.buffer, { transfer: [octets.buffer] });
    res.end(octets);
  },
  'a text in an unknown encoding': (res) => res.end('text', 'none' as never),
};

for (const [what, end] of Object.entries(REFUSED)) {
  test(`an answer in parts that was to end with ${what} is still open, and can be ended`, async () => {
    const { answer, events } = await exchange((_req, res) => {
      res.write('who');
      assert.throws(() => end(res), TypeError);
      assert.equal(res.writableEnded, false);
      res.end('le');
    }, {});
    assert.deepEqual(told(answer), WHOLE);
    assert.deepEqual(events, ['res finish', 'res close']);
  });
}

for (const method of ['write', 'end'] as const) {
  test(`${method}() throws for octets whose memory was transferred when they are the first of an answer, as over HTTP/1`, async () => {
    const seen: unknown[] = [];
    await exchange((_req, res) => {
      const octets = new Uint8Array(3);
      structuredClone(octets.buffer, { transfer: [octets.buffer] });
      try {
        res[method](octets);
      } catch (error) {
        seen.push((error as Error).name);
      }
      seen.push(res.headersSent, res.writableEnded);
      res.destroy();
    }, {});
    assert.deepEqual(seen, ['TypeError', true, false]);
  });
}

test('end() throws for octets with an encoding that does not exist, as over HTTP/1', async () => {
  const seen: unknown[] = [];
  await exchange((_req, res) => {
    try {
      res.end(Buffer.from('octets'), 'none' as never);
    } catch (error) {
      seen.push((error as NodeJS.ErrnoException).code);
    }
    seen.push(res.writableEnded);
    res.destroy();
  }, {});
  assert.deepEqual(seen, ['ERR_UNKNOWN_ENCODING', false]);
});

test('an end after destroy() makes no head', async () => {
  let sent: boolean | undefined;
  await exchange((_req, res) => {
    res.destroy();
    res.end('late');
    res.setHeader('x-late', '1');
    sent = res.headersSent;
  }, {});
  assert.equal(sent, false);
});
