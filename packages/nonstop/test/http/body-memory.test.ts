import assert = require('node:assert/strict');
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { eachSameThroughBothDoors, type Handler, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { RawClient } from '../support/raw-http.js';

const get = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (body: string, length = body.length): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;
const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Takes the memory of each piece away from this thread. */
const transfer: Handler = (req, res, log) => {
  const texts: string[] = [];
  req.on('data', (chunk: Buffer) => {
    log('piece', 'memory', [chunk.byteOffset, chunk.buffer.byteLength === chunk.length]);
    const taken = structuredClone(chunk, { transfer: [chunk.buffer as ArrayBuffer] });
    assert.equal(chunk.length, 0);
    texts.push(Buffer.from(taken).toString('latin1'));
  });
  req.on('end', () => res.end(`${req.url} ${texts.join('|')}`));
};

const ways: Record<string, readonly string[]> = {
  'with its head': [post('of one piece')],
  'behind its head': [post('', 12), 'of one piece'],
  'in two reads': [post('of two', 13), ' pieces'],
  'in front of another request': [`${post('of one piece')}${get}`],
  'behind its head, in front of another request': [post('', 12), `of one piece${get}`],
  'in chunks': [`${chunked}3\r\nabc\r\n4;a=b\r\ndefg\r\n0\r\n\r\n`],
  'in chunks, in front of another request': [`${chunked}3\r\nabc\r\n4\r\ndefg\r\n0\r\nA: b\r\n\r\n${get}`],
  'in a chunk of two reads': [`${chunked}7\r\nabc`, 'defg\r\n0\r\n\r\n'],
};

eachSameThroughBothDoors(
  Object.entries(ways).map(([way, reads]): Scenario => ({
    name: `each piece of a body has its memory for itself: a body ${way}`,
    talk: async (client) => {
      for (const read of reads) await client.send(read);
      await client.answer();
      if (reads.at(-1)!.endsWith(get)) await client.answer();
    },
    handler: transfer,
  })),
);

/** Longer than a full read of the kernel, so that some reads are all body. */
const LONG = 400_000;

/** Sends each read in the same memory, which it overwrites when node has taken it. */
class Reusing extends Duplex {
  answer = '';

  /** @param memory at least as long as the read */
  send(read: string, memory: Buffer): void {
    this.push(memory.subarray(0, memory.write(read, 'latin1')));
    this.read(0);
    setImmediate(() => memory.fill('!'));
  }

  override _read(): void {
    // send() pushes.
  }

  override _write(data: Buffer, _: string, done: () => void): void {
    this.answer += data.toString('latin1');
    this.emit('answered');
    done();
  }
}

for (const door of doors) {
  test(`${door.name}: the memory of full reads may be transferred`, async () => {
    const own = new Set<boolean>();
    const server = door.createServer({}, (req, res) => {
      let size = 0;
      req.on('data', (chunk: Buffer) => {
        own.add(chunk.byteOffset === 0 && chunk.buffer.byteLength === chunk.length);
        size += structuredClone(chunk, { transfer: [chunk.buffer as ArrayBuffer] }).length;
      });
      req.on('end', () => res.end(String(size)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await RawClient.open(server);
    try {
      for (let i = 0; i < 3; i++) {
        await client.send(`${post('x'.repeat(LONG))}${get}`);
        assert.equal(String((await client.answer()).body), String(LONG));
        await client.answer();
      }
      assert.deepEqual([...own], [true]);
    } finally {
      client.drop();
      server.close();
    }
  });

  const memories: Record<string, (read: string) => Buffer> = {
    'longer than its reads': () => Buffer.alloc(1024),
    'as long as each of its reads': (read) => Buffer.alloc(read.length),
  };
  for (const [what, memoryOf] of Object.entries(memories))
    test(`${door.name}: a stream that writes to its memory again, which is ${what}, does not change a body`, async () => {
      const server = door.createServer({}, (req, res) => {
        const chunks: Buffer[] = [];
        req.on('data', (chunk: Buffer) => chunks.push(chunk));
        req.on('end', () => res.end(Buffer.concat(chunks)));
      });
      const stream = new Reusing();
      server.emit('connection', stream);
      const read = async (text: string): Promise<void> => {
        stream.send(text, memoryOf(text));
        await new Promise(setImmediate);
        await new Promise(setImmediate);
      };
      await read(post('of', 15));
      await read(' three');
      const answered = once(stream, 'answered');
      await read(' pieces');
      await answered;
      assert.match(stream.answer, /\r\n\r\nof three pieces$/);
      stream.destroy();
    });
}
