import { once } from 'node:events';
import net = require('node:net');
import { test } from 'node:test';
import { bounded } from '../support/bounded.js';
import { doors } from '../support/doors.js';
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, watch, type Handler, type Scenario } from '../support/both-doors.js';

const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (path: string, body: string): string =>
  `PUT ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const sixteen = Array.from({ length: 16 }, (_, i) => get(`/${i}`)).join('');

/** Answers in reverse: the first request waits for all others. */
const reversed = (count: number): Handler => {
  const held: (() => void)[] = [];
  return (req, res, log) => {
    log('handler', 'called', req.url);
    held.push(() => {
      log('handler', 'answered', req.url);
      res.end(`answer to ${req.url}`);
    });
    if (held.length === count) for (const answer of held.splice(0).reverse()) answer();
  };
};

const echo: Handler = async (req, res, log) => {
  log('handler', 'called', req.url);
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  res.end(`${req.url}=${Buffer.concat(parts).toString()}`);
};

const inOrder: Scenario['check'] = ({ wire }) => {
  const places = [...wire.matchAll(/answer to \/(\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
};

const scenarios: Scenario[] = [
  { name: 'sixteen requests at once get sixteen answers in order', send: sixteen, answers: 16 },
  {
    name: 'answers given in reverse go out in order',
    send: sixteen,
    answers: 16,
    handler: reversed(16),
    check: inOrder,
  },
  {
    name: 'handlers of pipelined requests run before the first is answered',
    send: get('/0') + get('/1') + get('/2'),
    answers: 3,
    handler: reversed(3),
    check: inOrder,
  },
  {
    name: 'answers written in pieces do not mix',
    send: get('/a') + get('/b'),
    answers: 2,
    handler: (req, res) => {
      res.write(`${req.url}1`);
      setImmediate(() => {
        res.write(`${req.url}2`);
        setImmediate(() => res.end(`${req.url}3`));
      });
    },
  },
  {
    name: 'the second finishes while the first still writes',
    send: get('/a') + get('/b'),
    answers: 2,
    handler: (req, res, log) => {
      watch(req, res, log);
      if (req.url === '/b') return res.end('quick');
      res.write('slow 1');
      return setImmediate(() => setImmediate(() => setImmediate(() => res.end('slow 2'))));
    },
  },
  {
    name: 'bodies of all kinds between requests',
    send: post('/1', 'one') + chunked('/2', 'two') + get('/3') + post('/4', '') + chunked('/5', 'five'),
    answers: 5,
    handler: echo,
  },
  {
    name: 'bodies of all kinds byte by byte',
    send: [...(post('/1', 'one') + chunked('/2', 'two') + get('/3'))],
    answers: 3,
    handler: echo,
  },
  {
    name: 'an unread body is skipped before the next request',
    send: post('/1', 'x'.repeat(50_000)) + get('/2'),
    answers: 2,
    handler: (req, res) => res.end(`answer to ${req.url}`),
  },
  {
    name: 'an unread chunked body is skipped before the next request',
    send: chunked('/1', 'x'.repeat(50_000)) + get('/2'),
    answers: 2,
    handler: (req, res) => res.end(`answer to ${req.url}`),
  },
  {
    name: 'nothing is read after Connection: close',
    send: get('/1') + get('/2', 'Connection: close') + get('/3'),
    answers: 0,
    then: 'wait',
    handler: echo,
  },
  {
    name: 'an answer with Connection: close ends the pipeline',
    send: get('/1') + get('/2') + get('/3'),
    answers: 2,
    then: 'wait',
    handler: (req, res, log) => {
      watch(req, res, log, false);
      if (req.url === '/2') res.setHeader('Connection', 'close');
      res.end(`answer to ${req.url}`);
    },
  },
  {
    name: 'HEAD between GETs',
    send: get('/1') + get('/2').replace('GET', 'HEAD') + get('/3'),
    methods: ['GET', 'HEAD', 'GET'],
    answers: 3,
    handler: (_req, res) => res.end('body'),
  },
  {
    name: 'empty lines between requests are skipped',
    send: `${get('/1')}\r\n\r\n${get('/2')}`,
    answers: 2,
    handler: echo,
  },
  {
    name: 'an empty line after a body is skipped',
    send: `${post('/1', 'abc')}\r\n${get('/2')}`,
    answers: 2,
    handler: echo,
  },
  {
    name: 'a bad request after good ones: the good ones are answered',
    send: `${get('/1')}${get('/2')}BAD\r\n\r\n`,
    answers: 0,
    then: 'finish',
    handler: echo,
  },
  {
    name: 'a bad request while the first is still being answered',
    send: `${get('/1')}BAD\r\n\r\n`,
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      watch(req, res, log);
      setImmediate(() => setImmediate(() => res.end('late')));
    },
  },
  {
    name: 'a client that hangs up leaves every waiting answer closed',
    handler: (req, res, log) => {
      watch(req, res, log);
      if (req.url === '/2') res.end('waits behind /1');
    },
    talk: async (client, { server }) => {
      const both = new Promise<void>((resolve) => {
        let calls = 0;
        server.on('request', () => {
          if (++calls === 2) resolve();
        });
      });
      await client.send(get('/1') + get('/2'));
      await both;
      client.drop();
    },
  },
  {
    name: 'a half-closed client gets only what was answered before',
    send: get('/1') + get('/2') + get('/3'),
    answers: 0,
    then: 'finish',
    handler: (req, res) => {
      if (req.url === '/1') res.end('answer to /1');
      else req.socket.once('end', () => res.end(`answer to ${req.url}`));
    },
  },
  {
    name: 'a big answer before small ones',
    send: get('/1') + get('/2'),
    answers: 2,
    handler: (req, res) => res.end(req.url === '/1' ? 'x'.repeat(3_000_000) : 'small'),
  },
  {
    name: 'two hundred pipelined requests',
    send: Array.from({ length: 200 }, (_, i) => get(`/${i}`)).join(''),
    answers: 200,
    handler: (req, res) => res.end(`answer to ${req.url}`),
    check: inOrder,
  },
  {
    name: 'pipelined answers held back count as writableNeedDrain',
    send: get('/1') + get('/2'),
    answers: 2,
    handler: (req, res, log) => {
      if (req.url === '/1') return setImmediate(() => setImmediate(() => res.end('first')));
      const went = res.write('y'.repeat(100_000));
      log('second', 'write', [went, res.writableNeedDrain]);
      res.on('drain', () => {
        log('second', 'drain');
        res.end('second');
      });
      return undefined;
    },
  },
  {
    name: "a response without its socket gets 'drain' when the next one begins to wait",
    send: `${get('/1').slice(0, -2)}Content-Length: 1\r\n\r\na${get('/2')}`,
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      if (req.url === '/2') return res.end('waits');
      watch(req, res, log);
      res.on('drain', () => log('res', 'drain', [res.writableLength, res.writableNeedDrain]));
      res.destroy();
      return req.pipe(res);
    },
  },
  {
    name: 'an answer given in a tick is sent before the one that a later tick destroys',
    send: `${get('/1')}${get('/2').slice(0, -2)}Content-Length: 1\r\n\r\na`,
    answers: 2,
    then: 'wait',
    handler: async (req, res, log) => {
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (req.url === '/1') return void res.end('first');
      res.on('error', (error: NodeJS.ErrnoException) => {
        log('res', 'error', error.code);
        res.destroy();
      });
      res.end('second');
      res.end('again');
    },
  },
  {
    name: 'a body after an answer that the client does not read is read once its own answer waits',
    setup: (server, log) => {
      server.on('request', (req) => req.url === '/2' && req.on('end', () => log('second', 'complete', req.complete)));
    },
    handler: (req, res) => {
      if (req.url === '/2') return void res.end('second');
      res.write('x'.repeat(70_000));
      // It throws, and leaves the socket corked.
      try {
        res.end(true);
      } catch {
        req.socket.once('end', () => req.socket.destroy());
      }
    },
    talk: async (client, { sendEach }) => {
      const body = 'a'.repeat(20_000);
      await sendEach(client, [`${get('/1')}${post('/2', body).slice(0, -10)}`, body.slice(-10)]);
      client.finish();
      await client.untilClose();
    },
  },
  {
    name: 'waiting answers of text, of a few octets and of many octets, one behind the other',
    send: ['/late', '/text', '/octets', '/text', '/many', '/plain', '/many', '/many'].map((path) => get(path)).join(''),
    answers: 8,
    handler: (req, res) => {
      if (req.url === '/late') return setImmediate(() => setImmediate(() => res.end('late')));
      const bodies: Record<string, string | Buffer> = {
        '/text': '\u20ac and \xe9',
        '/octets': Buffer.from([0, 0x80, 0xff]),
        '/many': Buffer.alloc(5000, 0xe9),
      };
      return res.end(bodies[req.url!] ?? 'plain');
    },
  },
  {
    name: 'waiting answers of more than the socket takes, again and again on one connection',
    handler: (req, res) => {
      if (req.url === '/late') setImmediate(() => setImmediate(() => res.end('late')));
      else res.end('x'.repeat(12_000));
    },
    talk: async (client) => {
      const paths = ['/late', '/1', '/2', '/3', '/4'];
      for (let round = 0; round < 8; round++) {
        await client.send(paths.map((path) => get(path)).join(''));
        for (const _ of paths) await client.answer();
      }
      client.drop();
    },
  },
  {
    name: 'reading stops behind more waiting answers than the socket takes, and goes on when they are sent',
    handler: (req, res, log) => {
      log('socket', req.url!, req.socket.isPaused());
      if (req.url === '/late') setImmediate(() => setImmediate(() => res.end('late')));
      else res.end('x'.repeat(100_000));
    },
    talk: async (client) => {
      for (let round = 0; round < 2; round++) {
        await client.send(get('/late') + get('/1') + get('/2'));
        for (let count = 0; count < 3; count++) await client.answer();
      }
      client.drop();
    },
  },
  {
    name: 'HTTP/1.0 pipelined without keep-alive answers only the first',
    send: 'GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n',
    answers: 0,
    then: 'wait',
    handler: echo,
  },
];

eachSameThroughBothDoors(scenarios);

/** node has an assertion there. */
test("a 'finish' that a program emits behind end() takes no answer from the next request", async () => {
  const server = doors[1].createServer({}, (req, res) => {
    if (req.url === '/2') setTimeout(() => res.end('two'), 20);
    else {
      res.end('one');
      res.emit('finish');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  client.on('data', (part: string) => (text += part)).write(get('/1') + get('/2'));
  await bounded(
    (async () => {
      while (!text.endsWith('two')) await once(client, 'data');
    })(),
    () => `the second answer: ${text}`,
  );
  client.destroy();
  server.close();
});
