import assert = require('node:assert/strict');
import diagnostics = require('node:diagnostics_channel');
import { once } from 'node:events';
import http2 = require('node:http2');
import { test } from 'node:test';
import { answerDirectly, type WholeAnswer } from '../../src/node/http2-answers.js';
import { inChangedNode } from '../support/without.js';
import { answerOf, openSession, type Http2Answer } from '../support/http2-client.js';

type OnStream = (stream: http2.ServerHttp2Stream) => void;

/** Sends one request for each listener, one after another. */
async function answersOf(...listeners: OnStream[]): Promise<Http2Answer[]> {
  const server = http2.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = await openSession(server);
  const answers: Http2Answer[] = [];
  for (const listener of listeners) {
    server.once('stream', listener);
    answers.push(await answerOf(session.request({ ':path': '/' })));
  }
  session.close();
  server.close();
  return answers;
}

const block = (): WholeAnswer['block'] =>
  Object.assign(Object.create(null), {
    ':status': 201,
    'content-length': 5,
    'x-many': ['a', 'b'],
  }) as WholeAnswer['block'];

const whole = (body: WholeAnswer['body'], size = 0): WholeAnswer => ({
  block: block(),
  date: true,
  body,
  size,
  told: null,
});

function withoutTime(answer: Http2Answer): unknown {
  return { ...answer, fields: answer.fields.map(([name, value]) => [name, name === 'date' ? 'now' : value]) };
}

const bodies = [
  ['a text of ASCII', 'hello', 5],
  ['a text', 'er€', 5],
  ['octets', Buffer.from('octet'), 5],
] as const;

for (const [name, body, size] of bodies) {
  test(`an answer with ${name} is what respond() and end() make of it`, async () => {
    let sent: object | undefined;
    const [direct, nodes] = await answersOf(
      (stream) => {
        assert.equal(answerDirectly(stream, whole(body, size)), true);
        sent = stream.sentHeaders;
        assert.deepEqual([stream.headersSent, stream.writableEnded, stream.writableFinished], [true, true, true]);
      },
      (stream) => {
        stream.respond(block());
        stream.end(body);
        const today = { date: 'today' };
        assert.deepEqual(Object.entries({ ...sent, ...today }), Object.entries({ ...stream.sentHeaders, ...today }));
      },
    );
    assert.equal(direct.body.toString(), body.toString());
    assert.deepEqual(withoutTime(direct), withoutTime(nodes));
  });
}

test('an answer without a body ends with its head', async () => {
  const closed: Promise<unknown>[] = [];
  const [answer] = await answersOf((stream) => {
    closed.push(once(stream, 'close'));
    assert.equal(answerDirectly(stream, { ...whole(null), block: { ':status': 204 } }), true);
  });
  assert.deepEqual([answer.status, answer.body.length, answer.whole, answer.reset], [204, 0, true, 0]);
  await Promise.all(closed);
});

test('the writer is notified when the octets are written', async () => {
  const statuses: number[] = [];
  await answersOf((stream) => {
    const told = { written: (status: number) => statuses.push(status) };
    answerDirectly(stream, { ...whole('hello', 5), told });
    assert.deepEqual(statuses, []);
  });
  assert.deepEqual(statuses, [0]);
});

const left: readonly (readonly [string, (stream: http2.ServerHttp2Stream) => void])[] = [
  ["it has a listener for 'finish'", (stream) => stream.on('finish', () => undefined)],
  ["it has a listener for 'prefinish'", (stream) => stream.on('prefinish', () => undefined)],
  ['its respond() was replaced', (stream) => (stream.respond = stream.respond.bind(stream))],
  ['its end() was replaced', (stream) => (stream.end = stream.end.bind(stream))],
  ['it is corked', (stream) => stream.cork()],
];

for (const [reason, change] of left) {
  test(`a stream is left to node where ${reason}`, async () => {
    const [answer] = await answersOf((stream) => {
      change(stream);
      assert.equal(answerDirectly(stream, whole('hello', 5)), false);
      assert.equal(stream.headersSent, false);
      stream.respond(block());
      stream.end('hello');
    });
    assert.equal(answer.body.toString(), 'hello');
  });
}

test('a stream stays with node if something observes all that is sent, or if the body is long', async () => {
  const channel = diagnostics.channel('http2.server.stream.finish');
  const onFinish = (): void => undefined;
  await answersOf((stream) => {
    channel.subscribe(onFinish);
    assert.equal(answerDirectly(stream, whole('hello', 5)), false);
    channel.unsubscribe(onFinish);
    assert.equal(answerDirectly(stream, whole('x'.repeat(65_537), 65_537)), false);
    assert.equal(answerDirectly(stream, whole('hello', 5)), true);
  });
});

test('streams are left to node if respond() was replaced for all of them before the first answer', async () => {
  const asked = `new Promise((resolve) => {
    const http2 = require('node:http2');
    const server = http2.createServer().on('stream', (stream) => {
      const prototype = Object.getPrototypeOf(stream);
      const nodes = prototype.respond;
      let calls = 0;
      prototype.respond = function (...given) { calls++; return nodes.apply(this, given); };
      const done = part.answerDirectly(stream, { block: { ':status': 200 }, date: true, body: 'x', size: 1, told: null });
      resolve([done, calls]);
      stream.session.destroy();
      server.close();
    });
    server.listen(0, () => http2.connect('http://localhost:' + server.address().port).on('error', () => {}).request().on('error', () => {}));
  })`;
  assert.deepEqual(await inChangedNode('', 'http2-answers', asked), [false, 0]);
});

test('a stream whose head the program has sent is left to node', async () => {
  const [answer] = await answersOf((stream) => {
    stream.respond({ ':status': 202 });
    const isSent = answerDirectly(stream, whole('hello', 5));
    stream.end('own');
    assert.equal(isSent, false);
  });
  assert.deepEqual([answer.status, answer.body.toString()], [202, 'own']);
});

test('a stream that is closed is left to node', async () => {
  await answersOf((stream) => {
    stream.close(http2.constants.NGHTTP2_CANCEL);
    assert.equal(answerDirectly(stream, whole('hello', 5)), false);
  });
});
