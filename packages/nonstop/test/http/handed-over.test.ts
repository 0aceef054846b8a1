import http = require('node:http');
import net = require('node:net');
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors, type Door } from '../support/doors.js';
import { everySplit } from '../support/splits.js';
import { maskDate } from '../support/both-doors.js';
import { RawClient } from '../support/raw-http.js';
import { certificate } from '../support/certificate.js';

/** A connection without a socket: the server reads what the test pushes, and the test keeps what the server writes. */
class Wire extends Duplex {
  readonly written: Buffer[] = [];
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

const REQUESTS =
  'POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello' +
  'PUT /two HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nX-T: 1\r\n\r\n' +
  'GET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Feeds pieces to a server as one connection. @returns everything that it wrote until it closed */
async function feed(door: Door, pieces: readonly Buffer[]): Promise<string> {
  const server = door.createServer({}, (req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () =>
      res.end(`${req.method} ${req.url} ${Buffer.concat(parts).toString()} ${JSON.stringify(req.trailers)}`),
    );
  });
  const wire = new Wire();
  const closed = once(wire, 'close');
  server.emit('connection', wire);
  for (const piece of pieces) {
    wire.push(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  wire.push(null);
  await closed;
  return maskDate(Buffer.concat(wire.written));
}

test("a Duplex passed to 'connection' is served, whole and at every split", async () => {
  const [oracle, engine] = doors;
  const bytes = Buffer.from(REQUESTS, 'latin1');
  const expected = await feed(oracle, [bytes]);
  assert.match(expected, /PUT \/two abc \{"x-t":"1"\}/);
  for (const pieces of everySplit(bytes)) {
    const where = pieces.length === 2 ? `cut at ${pieces[0].length}` : `${pieces.length} pieces`;
    assert.equal(await feed(engine, pieces), expected, where);
  }
});

/** What a server answers to one part of a stream in object mode, which may be longer than any read of a socket. */
async function answerTo(door: Door, part: Uint8Array): Promise<string> {
  const server = door.createServer({}, (req, res) => res.setHeader('Connection', 'close').end(req.url));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => socket.end(`refused: ${error.code}`));
  const written: Buffer[] = [];
  const wire = new Duplex({
    readableObjectMode: true,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const closed = once(wire, 'close');
  server.emit('connection', wire);
  wire.push(part);
  wire.push(null);
  await closed;
  return maskDate(Buffer.concat(written));
}

test('a stream in object mode may give its octets in any array of octets', async () => {
  const part = new Uint8Array(Buffer.from('GET /first HTTP/1.1\r\nHost: a\r\n\r\n'));
  const [expected, actual] = await Promise.all(doors.map((door) => answerTo(door, part)));
  assert.match(expected, /\/first$/);
  assert.equal(actual, expected);
});

test('a head of 16 MB in one part is refused', async () => {
  const part = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(4_000_000)}\r\n`);
  for (const door of doors) assert.equal(await answerTo(door, part), 'refused: HPE_HEADER_OVERFLOW', door.name);
});

for (const door of doors) {
  test(`data that a socket held before it was passed to 'connection' is served through ${door.name}`, async (t) => {
    const server = door.createServer({}, (req, res) => res.end(req.url));
    // Reads the first octets and puts them back, as programs do that serve several protocols on one port.
    const front = net.createServer((socket) => {
      socket.once('readable', () => {
        socket.unshift(socket.read() as Buffer);
        server.emit('connection', socket);
      });
    });
    t.after(() => front.close());
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const client = await RawClient.open(front);
    await client.send('GET /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.match((await client.untilClose()).toString(), /\/first$/);
  });

  test(`a connection that one server passes on to another is served once, by the first, through ${door.name}`, async (t) => {
    const handled: string[] = [];
    const server = door.createServer({}, (req, res) => {
      handled.push(`second ${req.url}`);
      res.end();
    });
    const front = door.createServer({}, (req, res) => {
      handled.push(`first ${req.url}`);
      req.resume().on('end', () => res.end(req.url));
    });
    front.on('connection', (socket) => server.emit('connection', socket));
    t.after(() => front.close());
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const client = await RawClient.open(front);
    await client.send('GET /1 HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.equal((await client.answer()).body.toString(), '/1');
    await client.send(`POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`);
    assert.equal((await client.answer()).body.toString(), '/2');
    await client.send('GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.match((await client.untilClose()).toString(), /\/3$/);
    assert.deepEqual(handled, ['first /1', 'first /2', 'first /3']);
  });

  test(`a listener of 'connection' gets 'resume' of the socket through ${door.name}`, async (t) => {
    const server = door.createServer({}, (req, res) => res.end(req.url));
    t.after(() => server.close());
    const resumed = new Promise((resolve) => {
      server.on('connection', (socket) => socket.once('resume', resolve));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await resumed;
    client.destroy();
  });

  test(`https is served through ${door.name}`, async () => {
    const server = door.createSecureServer(certificate(), (req, res) => {
      const { encrypted } = req.socket as unknown as { encrypted: boolean };
      res.end(JSON.stringify([encrypted, req.url, req.headers.host, req instanceof http.IncomingMessage]));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await RawClient.open(server, { secure: true });
    try {
      for (const path of ['/1', '/2']) {
        await client.send(`GET ${path} HTTP/1.1\r\nHost: secure\r\n\r\n`);
        const { status, body } = await client.answer();
        assert.deepEqual([status, JSON.parse(body.toString())], [200, [true, path, 'secure', true]]);
      }
      await client.send('GARBAGE\r\n\r\n');
      assert.equal((await client.answer()).status, 400);
      await client.untilClose();
    } finally {
      client.drop();
      server.close();
      await once(server, 'close');
    }
  });

  test(`a plain request to an https server is a clientError of TLS through ${door.name}`, async () => {
    const server = door.createSecureServer(certificate(), (_req, res) => res.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const failed = once(server, 'tlsClientError');
    const client = await RawClient.open(server);
    await client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [error] = (await failed) as [NodeJS.ErrnoException];
    assert.match(String(error.code), /^ERR_SSL_/);
    await client.untilClose();
    client.drop();
    server.close();
    await once(server, 'close');
  });
}
