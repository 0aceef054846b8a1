// A handler can cause the next read of its connection before it returns: an empty write to a TLS socket decrypts further records, and
// programs emit 'data' on sockets. node parses that at once; the engine when the handler has returned, so the order of two requests is not compared.
import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import { describe, test } from 'node:test';
import tls = require('node:tls');
import { eachSameThroughBothDoors, maskDate, play, type Log } from '../support/both-doors.js';
import { certificate } from '../support/certificate.js';
import { doors, type Door } from '../support/doors.js';
import { End } from '../support/in-memory.js';
import { RawClient } from '../support/raw-http.js';
import { strangeRead } from '../support/shared-memory.js';

const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n${body}`;
const read = (req: http.IncomingMessage, octets: string): unknown => req.socket.emit('data', Buffer.from(octets));

function refusing(server: http.Server, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log('server', 'clientError', error.code);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
}

function answer(req: http.IncomingMessage, res: http.ServerResponse, log: Log): void {
  log(`calls of ${req.url}`, 'leaves', res.writableEnded);
  res.end(req.url);
}

eachSameThroughBothDoors([
  {
    name: 'a request that is read inside the handler of another waits for its answer',
    send: get('/1'),
    answers: 2,
    handler: (req, res, log) => {
      log(`calls of ${req.url}`, 'enters');
      res.on('finish', () => log(`calls of ${req.url}`, 'finished'));
      if (req.url === '/1') read(req, get('/2'));
      answer(req, res, log);
    },
  },
  {
    name: 'a request that is read inside the handler of one that has ended its response does not finish that',
    send: get('/1'),
    answers: 2,
    handler: (req, res, log) => {
      res.end(req.url);
      if (req.url === '/1') read(req, get('/2'));
      log(`response ${req.url}`, 'state', [res.writableFinished, res.destroyed]);
      res.on('finish', () => log(`response ${req.url}`, 'finish'));
      res.on('close', () => log(`response ${req.url}`, 'close'));
    },
  },
  {
    name: 'ticks run after the handler that has caused the read of a body, not inside it',
    send: get('/1'),
    answers: 2,
    handler: (req, res, log) => {
      log(`calls of ${req.url}`, 'enters');
      process.nextTick(() => log(`calls of ${req.url}`, 'tick'));
      if (req.url === '/1') read(req, post('/2', 'abcdef'));
      answer(req, res, log);
    },
  },
  {
    name: 'ticks run after the handler that has caused the read of trailers, not inside it',
    send: get('/1'),
    answers: 2,
    handler: (req, res, log) => {
      log(`calls of ${req.url}`, 'enters');
      process.nextTick(() => log(`calls of ${req.url}`, 'tick'));
      if (req.url === '/1') {
        read(req, 'POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: t\r\n\r\n');
      }
      answer(req, res, log);
    },
  },
  {
    name: "a request that is read inside a listener for 'end' is answered",
    send: [post('/1', ''), `abcdef${get('/3')}`],
    answers: 3,
    handler: (req, res, log) => {
      req.on('data', (part: Buffer) => log('calls', 'data', part.toString()));
      req.on('end', () => {
        if (req.url === '/1') read(req, get('/2'));
        answer(req, res, log);
      });
    },
  },
  {
    name: 'the last request of a connection is read inside the handler of another',
    send: get('/1'),
    answers: 2,
    then: 'wait',
    handler: (req, res, log) => {
      if (req.url === '/1') read(req, get('/2', 'Connection: close'));
      answer(req, res, log);
    },
  },
]);

// node's parser loses its place here: it leaves the connection paused, refuses what comes next, or forgets that it has refused something.
describe('engine', { skip: doors[1].serves !== 'engine' && 'the engine is switched off' }, () => {
  for (const [name, head, pieces] of [
    ['a length', 'Content-Length: 6', ['abc', 'def']],
    ['chunks', 'Transfer-Encoding: chunked', ['3\r\nabc', '\r\n3\r\ndef\r\n0\r\n\r\n']],
  ] as const) {
    test(`the rest of a body with ${name} is read inside a listener for its 'data'`, async () => {
      const { wire, events } = await play(doors[1], {
        name,
        send: [`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`, pieces[0]],
        handler: (req, res, log) => {
          req.on('data', (part: Buffer) => {
            log('body', part.toString());
            if (part.toString() === 'abc') read(req, pieces[1]);
          });
          req.on('end', () => res.end('all of it'));
        },
      });
      assert.deepEqual(events, { body: ['abc', 'def'] });
      assert.match(wire, /all of it.*probe answered$/s);
    });
  }

  test('what a tick reads comes behind the piece of a body in front of which the tick runs', async () => {
    const { wire, events } = await play(doors[1], {
      name: '',
      send: [`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`, '2\r\nab\r\n2\r\ncd'],
      handler: (req, res, log) => {
        req.on('data', (part: Buffer) => {
          log('body', part.toString());
          if (part.toString() === 'ab') process.nextTick(read, req, '\r\n2\r\nef\r\n0\r\n\r\n');
        });
        req.on('end', () => res.end('all of it'));
      },
    });
    assert.deepEqual(events, { body: ['ab', 'cd', 'ef'] });
    assert.match(wire, /all of it.*probe answered$/s);
  });

  const enters = (req: http.IncomingMessage, log: Log): void => log('calls', 'enters', req.url);

  test('what a handler reads comes behind the requests that came before it', async () => {
    const { wire, events } = await play(doors[1], {
      name: '',
      send: get('/1') + get('/4'),
      answers: 4,
      handler: (req, res, log) => {
        enters(req, log);
        if (req.url === '/1') read(req, get('/2') + get('/3'));
        log('calls', 'leaves', req.url);
        res.end(req.url);
      },
    });
    const order = ['/1', '/4', '/2', '/3'];
    const calls = order.flatMap((path) => [
      ['enters', path],
      ['leaves', path],
    ]);
    assert.deepEqual(events, { calls });
    assert.deepEqual(wire.match(/(?<=\r\n\r\n)\/\d/g), order);
  });

  test('garbage that a handler reads is refused once, behind its answer', async () => {
    const { wire, events } = await play(doors[1], {
      name: '',
      send: get('/1'),
      answers: 1,
      then: 'wait',
      setup: refusing,
      handler: (req, res) => {
        read(req, '*garbage\r\n\r\n');
        res.end(req.url);
      },
    });
    assert.deepEqual(events, { server: [['clientError', 'HPE_INVALID_METHOD']] });
    assert.match(wire, /^HTTP\/1\.1 200 [^]*\r\n\r\n\/1HTTP\/1\.1 400 [^]*\r\n\r\n$/);
  });

  const smuggled = get('/smuggled');
  const bodies: Readonly<Record<string, readonly [head: string, first: string, rest: string]>> = {
    'a length': [`Content-Length: ${smuggled.length}`, '', smuggled],
    'a length, of which a part is there': [`Content-Length: ${smuggled.length + 1}`, '\n', smuggled],
    chunks: ['Transfer-Encoding: chunked', '', `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`],
    'chunks, of which some are there': [
      'Transfer-Encoding: chunked',
      '1\r\n\n\r\n',
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    ],
  };
  for (const [name, [head, first, rest]] of Object.entries(bodies)) {
    test(`a body with ${name} that its own handler reads is a body`, async () => {
      const { wire, events } = await play(doors[1], {
        name,
        send: `POST /1 HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${first}`,
        handler: (req, res, log) => {
          enters(req, log);
          let body = '';
          req.on('data', (part: Buffer) => (body += part.toString()));
          req.on('end', () => {
            log('calls', 'body', body.trimStart());
            res.end('all of it');
          });
          read(req, rest);
        },
      });
      assert.deepEqual(events, {
        calls: [
          ['enters', '/1'],
          ['body', smuggled],
        ],
      });
      assert.match(wire, /all of it.*probe answered$/s);
    });
  }

  test('the body of a request that another handler reads is a body', async () => {
    const { wire, events } = await play(doors[1], {
      name: '',
      send: [get('/1'), smuggled],
      answers: 2,
      handler: (req, res, log) => {
        enters(req, log);
        if (req.url === '/1') read(req, `POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n`);
        req.resume().on('end', () => res.end(req.url));
      },
    });
    assert.deepEqual(events, {
      calls: [
        ['enters', '/1'],
        ['enters', '/2'],
      ],
    });
    assert.match(wire, /\/1HTTP.*\/2HTTP.*probe answered$/s);
  });

  test('a client in memory sends its body inside the call that sends 100', async () => {
    const server = doors[1].createServer({}, (req, res) => {
      req.resume().on('end', () => res.end(`${req.method} ${req.url}`));
    });
    const [near, far] = End.pair();
    server.emit('connection', far);
    const request = http.request({
      createConnection: () => near,
      method: 'POST',
      path: '/1',
      headers: { Host: 'a', Expect: '100-continue', 'Content-Length': smuggled.length },
    });
    request.on('continue', () => request.end(smuggled));
    request.flushHeaders();
    const [answered] = (await once(request, 'response')) as [http.IncomingMessage];
    assert.equal(answered.statusCode, 200);
    let body = '';
    for await (const part of answered) body += String(part);
    assert.equal(body, 'POST /1');
  });
});

async function overTls(door: Door): Promise<unknown[]> {
  const notes: unknown[] = [];
  const server = door.createSecureServer(certificate(), (req, res) => {
    notes.push(['enters', req.url]);
    if (req.url === '/1') req.socket.write('');
    notes.push(['leaves', req.url]);
    res.end(req.url);
  });
  const [near, far] = End.pair();
  server.emit('connection', far);
  const client = tls.connect({ socket: near, rejectUnauthorized: false });
  let received = '';
  await once(client, 'secureConnect');
  near.hold();
  for (const path of ['/1', '/2', '/3']) client.write(get(path));
  await new Promise((resolve) => client.write('', resolve));
  near.release();
  for await (const part of client) {
    received += String(part);
    if (received.endsWith('/3')) break;
  }
  return [...notes, maskDate(Buffer.from(received))];
}

/** 20.20.2, 22.23.3, 24.21.0 and 26.12.1 read inside of an empty write to a TLS socket; 22.23.5 and 24.22.3 read only after it. */
const READ_INSIDE = /^v(?:20|22\.23\.[0-3]$|24\.21|26\.(?:0|10|12))\b/;

test('requests that an empty write to a TLS socket reads inside a handler are answered in their order', async () => {
  const [oracle, engine] = doors;
  const expected = await overTls(oracle);
  const nested = [
    ['enters', '/1'],
    ['enters', '/2'],
    ['leaves', '/2'],
  ];
  if (READ_INSIDE.test(process.version)) assert.deepEqual(expected.slice(0, 3), nested);
  const told = await overTls(engine);
  if (engine.serves === 'engine') {
    assert.deepEqual(
      told.slice(0, -1),
      ['/1', '/2', '/3'].flatMap((path) => [
        ['enters', path],
        ['leaves', path],
      ]),
    );
  }
  assert.equal(told.at(-1), expected.at(-1));
});

async function insideCode(door: Door): Promise<readonly string[]> {
  const notes: string[] = [];
  const server = door.createSecureServer(certificate(), (req, res) => {
    notes.push(`enters ${req.url}`);
    req.on('data', () => notes.push('data'));
    req.on('end', () => res.end(req.url));
  });
  const [near, far] = End.pair();
  server.emit('connection', far);
  const client = tls.connect({ socket: near, rejectUnauthorized: false });
  await once(client, 'secureConnect');
  near.hold();
  client.write(post('/1', 'abcdef') + get('/2'));
  await new Promise((resolve) => client.write('', resolve));
  setImmediate(() => {
    process.nextTick(() => notes.push('tick'));
    void Promise.resolve().then(() => notes.push('microtask'));
    near.release();
    notes.push('the code goes on');
  });
  let received = '';
  for await (const part of client) {
    received += String(part);
    if (received.endsWith('/2')) break;
  }
  return notes;
}

test('no ticks run inside the code that passes octets to TLS on a stream in memory', async () => {
  const [oracle, engine] = doors;
  const expected = await insideCode(oracle);
  assert.deepEqual(expected.slice(0, 4), ['enters /1', 'enters /2', 'the code goes on', 'tick']);
  assert.deepEqual(await insideCode(engine), expected);
});

// A program passes on what one client sends as octets of another connection: they are decrypted, and read, inside its handler. Such a connection
// has memory of its own; a read into that of all connections is imitated.

type Reader = (req: http.IncomingMessage, atEnd: () => void) => void;

const readers: Readonly<Record<string, Reader>> = {
  "a listener for 'readable'": (req, atEnd) => {
    req.on('readable', () => {
      while (req.read() !== null);
      if (req.complete) atEnd();
    });
  },
  "a listener for 'data'": (req, atEnd) => req.on('data', atEnd),
  "a listener for 'end'": (req, atEnd) => req.resume().on('end', atEnd),
};

async function besideAnother(door: Door, listen: Reader, [first, second]: readonly [string, string]): Promise<unknown> {
  const notes: string[] = [];
  const secure = door.createSecureServer(certificate(), (req, res) => {
    notes.push(`other ${req.url}`);
    res.end(req.url);
  });
  const [near, far] = End.pair();
  secure.emit('connection', far);
  const other = tls.connect({ socket: near, rejectUnauthorized: false });
  await once(other, 'secureConnect');
  near.hold();
  other.resume().write(get('/other', `X: ${'b'.repeat(400)}`));
  await new Promise((resolve) => other.write('', resolve));
  const readAnother = await strangeRead(door);
  let isHeld = true;
  const server = door.createServer({}, (req, res) => {
    notes.push(`one ${req.url}`);
    listen(req, () => {
      if (isHeld) near.release();
      readAnother();
      isHeld = false;
    });
    req.on('end', () => res.end(req.url)).resume();
  });
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    notes.push(`refused ${error.code} ${String(error.rawPacket)}`);
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = await RawClient.open(server);
  const called = once(server, 'request');
  await client.send(first);
  await called;
  await client.send(second);
  await client.answer();
  await client.answer().catch(() => {});
  client.drop();
  other.destroy();
  server.close();
  return notes.toSorted();
}

const chunked = 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n';

for (const [when, listen] of Object.entries(readers)) {
  for (const [name, reads] of Object.entries<readonly [string, string]>({
    'behind the last chunk': [chunked, `0\r\n\r\n${get('/2')}`],
    'behind trailers': [chunked, `0\r\nT: t\r\n\r\n${get('/2')}`],
    'behind a part of a chunk': [chunked, `3\r\ndef\r\n0\r\n\r\n${get('/2')}`],
    'behind a body with a length': [post('/1', 'abc'), `def${get('/2')}`],
  })) {
    test(`another connection that is read inside ${when} does not change what comes ${name}`, async () => {
      const [oracle, engine] = doors;
      const expected = ['one /1', 'one /2', 'other /other'];
      assert.deepEqual(await besideAnother(oracle, listen, reads), expected);
      assert.deepEqual(await besideAnother(engine, listen, reads), expected);
    });
  }
}
