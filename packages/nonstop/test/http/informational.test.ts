import assert = require('node:assert/strict');
import http = require('node:http');
import { eachSameThroughBothDoors, watch, type Handler, type Scenario } from '../support/both-doors.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const tried = (log: Parameters<Handler>[2], what: string, run: () => void): void => {
  try {
    run();
    log('tried', what);
  } catch (error) {
    log('tried', what, [(error as NodeJS.ErrnoException).code, (error as Error).message]);
  }
};

type Inform = (status: unknown, ...rest: unknown[]) => unknown;
const anyStatus: readonly unknown[][] = [
  [103],
  [104, { 'X-A': 'b' }],
  [102, { Link: ['</a>', '</b>'] }],
  [101],
  [200],
  ['x'],
  [103, 5],
];

// A method that only Node 26 has.
const informing: Scenario = {
  name: 'writeInformation goes out before the answer',
  send: get,
  handler: (_req, res, log) => {
    const { writeInformation } = res as unknown as { writeInformation: Inform };
    for (const args of anyStatus) tried(log, JSON.stringify(args), () => Reflect.apply(writeInformation, res, args));
    res.end('done');
  },
};

const sending: Scenario[] = [
  ...('writeInformation' in http.ServerResponse.prototype ? [informing] : []),
  {
    name: 'writeContinue goes out before the answer',
    send: get,
    handler: (_req, res, log) => {
      res.writeContinue(() => log('res', 'continue written'));
      res.end('done');
    },
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/),
  },
  {
    name: 'writeProcessing goes out before the answer',
    send: get,
    handler: (_req, res) => {
      res.writeProcessing();
      res.end('done');
    },
  },
  {
    name: 'writeEarlyHints with one link',
    send: get,
    handler: (_req, res, log) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' }, () => log('res', 'hints written'));
      res.end('done');
    },
  },
  {
    name: 'writeEarlyHints with links and other fields',
    send: get,
    handler: (_req, res) => {
      res.writeEarlyHints({
        link: ['</a.css>; rel=preload; as=style', '</b.js>; rel=preload; as=script'],
        'x-trace-id': 'id',
      });
      res.end('done');
    },
  },
  {
    name: 'several informational answers',
    send: get,
    handler: (_req, res) => {
      res.writeContinue();
      res.writeProcessing();
      res.writeEarlyHints({ link: '</a>; rel=preload' });
      res.writeProcessing();
      setImmediate(() => res.end('done'));
    },
  },
  {
    name: 'early hints without links send nothing',
    send: get,
    handler: (_req, res) => {
      res.writeEarlyHints({ link: [] });
      res.end('done');
    },
  },
  {
    name: 'bad early hints throw',
    send: get,
    handler: (_req, res, log) => {
      tried(log, 'not an object', () => res.writeEarlyHints('x' as never));
      tried(log, 'no link', () => res.writeEarlyHints({ other: 'x' }));
      tried(log, 'bad link', () => res.writeEarlyHints({ link: 'not a link' }));
      tried(log, 'link with a newline', () => res.writeEarlyHints({ link: '</a>; rel="x\r\ny"' }));
      tried(log, 'bad name', () => res.writeEarlyHints({ link: '</a>; rel=x', 'b d': 'x' }));
      res.end('done');
    },
  },
  {
    name: 'informational answers after the head',
    send: get,
    answers: 0,
    then: 'finish',
    handler: (_req, res, log) => {
      res.write('x');
      tried(log, 'continue', () => res.writeContinue());
      tried(log, 'processing', () => res.writeProcessing());
      tried(log, 'hints', () => res.writeEarlyHints({ link: '</a>; rel=preload' }));
      res.end();
    },
  },
  {
    name: 'an informational answer of a held pipelined response waits its turn',
    send: get + get,
    answers: 2,
    handler: (() => {
      let calls = 0;
      return (_req, res) => {
        if (++calls % 2 === 1) return setImmediate(() => setImmediate(() => res.end('first')));
        res.writeProcessing();
        return res.end('second');
      };
    })(),
  },
];

const expecting = (value: string, body = 'hello', version = '1.1'): string =>
  `POST / HTTP/${version}\r\nHost: a\r\nExpect: ${value}\r\nContent-Length: 5\r\n\r\n${body}`;

const echo: Handler = (req, res, log) => {
  watch(req, res, log);
  log('handler', 'expect', req.headers.expect);
  req.on('end', () => res.end('done'));
};

const expectations: Scenario[] = [
  {
    name: 'Expect: 100-continue gets a 100 before the handler runs',
    handler: echo,
    talk: async (client) => {
      await client.send(expecting('100-continue', ''));
      await client.untilReceived('HTTP/1.1 100 Continue\r\n\r\n');
      await client.send('hello');
      assert.equal((await client.answer()).body.toString(), 'done');
      client.drop();
    },
  },
  { name: 'the body may come with the head', send: expecting('100-continue'), handler: echo },
  { name: 'the expectation is not case sensitive', send: expecting('100-Continue'), handler: echo },
  { name: 'a list with 100-continue in it', send: expecting('x, 100-continue'), handler: echo },
  {
    name: '100-continue in a longer word',
    send: expecting('100-continued'),
    handler: echo,
    answers: 0,
    then: 'finish',
  },
  {
    name: 'an HTTP/1.0 expectation',
    send: expecting('100-continue', 'hello', '1.0'),
    handler: echo,
    answers: 0,
    then: 'finish',
  },
  { name: 'an empty expectation', send: expecting(''), handler: echo, answers: 0, then: 'finish' },
  {
    name: 'any other expectation is answered 417',
    send: expecting('the impossible'),
    answers: 0,
    then: 'finish',
    handler: echo,
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 417 Expectation Failed\r\n/),
  },
  {
    name: "a handler of 'checkContinue' changes the list of fields before it reads them",
    setup: (server, log) => {
      server.on('checkContinue', (req, res) => {
        req.rawHeaders[1] = 'changed';
        log('server', 'host', req.headers.host);
        res.end();
      });
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
  },
  {
    name: "'checkContinue' decides",
    send: expecting('100-continue'),
    handler: echo,
    setup: (server, log) =>
      server.on('checkContinue', (req, res) => {
        log('server', 'checkContinue', req.method);
        res.writeContinue();
        server.emit('request', req, res);
      }),
  },
  {
    name: "'checkContinue' refuses",
    send: expecting('100-continue', ''),
    answers: 0,
    then: 'finish',
    handler: echo,
    setup: (server, log) =>
      server.on('checkContinue', (req, res) => {
        log('server', 'checkContinue', req.method);
        res.writeHead(413, { Connection: 'close' });
        res.end('too large');
      }),
  },
  {
    name: "'checkContinue' answers without asking for the body",
    send: expecting('100-continue', ''),
    handler: echo,
    answers: 1,
    then: 'finish',
    setup: (server) =>
      server.on('checkContinue', (_req, res) => {
        res.statusCode = 403;
        res.end('no');
      }),
  },
  {
    name: "'checkExpectation' decides",
    send: expecting('the impossible'),
    handler: echo,
    setup: (server, log) =>
      server.on('checkExpectation', (req, res) => {
        log('server', 'checkExpectation', req.headers.expect);
        res.statusCode = 202;
        req.resume();
        res.end('impossible done');
      }),
  },
  {
    name: 'an expectation without a body',
    send: 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
    handler: echo,
  },
];

eachSameThroughBothDoors([...sending, ...expectations]);
