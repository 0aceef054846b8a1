import diagnostics = require('node:diagnostics_channel');
import type http = require('node:http');
import type net = require('node:net');
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { eachSameThroughBothDoors, type Log, type Scenario } from '../support/both-doors.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const CHANNELS = ['http.server.request.start', 'http.server.response.created', 'http.server.response.finish'];

/** Listens to node's channels while one scenario runs. */
function published(scenario: Scenario): Scenario {
  const listen = (log: Log): (() => void) => {
    const undo = CHANNELS.map((channel) => {
      const hear = (message: unknown): void => {
        const { request, response, socket, server } = message as Record<
          string,
          { url?: string; statusCode?: number; headersSent?: boolean }
        >;
        log('channel', channel, [
          Object.keys(message as object).sort(),
          request.url,
          response.statusCode,
          socket !== undefined,
          server !== undefined,
        ]);
      };
      diagnostics.subscribe(channel, hear);
      return () => diagnostics.unsubscribe(channel, hear);
    });
    return () => undo.forEach((each) => each());
  };
  return {
    ...scenario,
    setup: (server, log) => {
      const stop = listen(log);
      server.once('close', stop);
    },
  };
}

/** What a subscriber finds that follows a response from the start of its request, as agents do. */
function followed(scenario: Scenario): Scenario {
  return {
    ...scenario,
    setup: (server, log) => {
      const follow = (message: unknown): void => {
        const { request, response } = message as { request: http.IncomingMessage; response: http.ServerResponse };
        if (request.socket.localPort !== (server.address() as net.AddressInfo | null)?.port) return;
        log(request.url!, 'start', [response.socket === null, response.listenerCount('finish')]);
        response.on('socket', (socket) => log(request.url!, 'socket', socket === request.socket));
        response.prependListener('finish', () => log(request.url!, 'finish, in front', response.socket !== null));
        response.on('finish', () => log(request.url!, 'finish', response.socket !== null));
        response.on('close', () => log(request.url!, 'close', response.socket !== null));
      };
      diagnostics.subscribe('http.server.request.start', follow);
      server.once('close', () => diagnostics.unsubscribe('http.server.request.start', follow));
    },
  };
}

const storage = new AsyncLocalStorage<{ url: string }>();

/** What a subscriber of the end alone finds, as a log does: the store of the request, and its socket. */
const ends: Scenario[] = [
  { name: 'an answer in one piece', end: (res: http.ServerResponse) => res.end('x') },
  { name: 'an answer of octets', end: (res: http.ServerResponse) => res.end(Buffer.from('x')) },
  {
    name: 'an answer in parts',
    end: (res: http.ServerResponse) => {
      res.write('a');
      res.end('b');
    },
  },
  { name: 'a late answer', end: (res: http.ServerResponse) => void setImmediate(() => res.end('x')) },
  {
    name: 'answers that wait for the first one',
    end: (res: http.ServerResponse) => (res.req.url === '/1' ? void setTimeout(() => res.end('x'), 20) : res.end('x')),
  },
].map(({ name, end }) => ({
  name: `a subscriber of the end of ${name} finds its store and its socket`,
  send: get('/1') + post('/2', 'abc') + get('/3') + get('/4'),
  answers: 4,
  setup: (server, log) => {
    const hear = (message: unknown): void => {
      const { request, response } = messageOf(message);
      if (request.socket.localPort !== (server.address() as net.AddressInfo | null)?.port) return;
      log(request.url!, 'sent', [storage.getStore()?.url, response.socket === request.socket]);
    };
    diagnostics.subscribe(CHANNELS[2], hear);
    server.once('close', () => diagnostics.unsubscribe(CHANNELS[2], hear));
  },
  handler: (req, res) => storage.run({ url: req.url! }, () => end(res)),
}));

const messageOf = (message: unknown): { request: http.IncomingMessage; response: http.ServerResponse } =>
  message as { request: http.IncomingMessage; response: http.ServerResponse };

/** What listeners hear that a subscriber adds when a response is sent. */
const late: Scenario = {
  name: 'listeners that are added when a response is sent',
  send: get('/one') + get('/two'),
  answers: 2,
  setup: (server, log) => {
    const hear = (message: unknown): void => {
      const { request, response } = messageOf(message);
      if (request.socket.localPort !== (server.address() as net.AddressInfo | null)?.port) return;
      for (const event of ['prefinish', 'finish', 'close']) response.once(event, () => log(request.url!, event));
    };
    diagnostics.subscribe(CHANNELS[2], hear);
    server.once('close', () => diagnostics.unsubscribe(CHANNELS[2], hear));
  },
  handler: (_req, res) => res.end('answer'),
};

/** What subscribers of some of the channels find on a response that has not begun, and in which order their listeners are called. */
const starts: Scenario[] = [[0], [0, 1], [0, 2], [0, 1, 2]].map((which) => ({
  name: `what subscribers find before a response begins: ${which.map((each) => CHANNELS[each].slice(12)).join(', ')}`,
  send: get('/one') + get('/two'),
  answers: 2,
  setup: (server, log) => {
    for (const each of which) {
      const channel = CHANNELS[each];
      const hear = (message: unknown): void => {
        const { request, response } = messageOf(message);
        const holds = (request.socket as net.Socket & { _httpMessage?: unknown })._httpMessage === response;
        log('channel', channel, [request.url, response.socket !== null, holds, response.listenerCount('finish')]);
        const { url } = request;
        response.on('socket', () => log(url!, 'socket', channel));
        response.on('finish', () => log(url!, 'finish', [channel, response.socket !== null]));
      };
      diagnostics.subscribe(channel, hear);
      server.once('close', () => diagnostics.unsubscribe(channel, hear));
    }
  },
  handler: (_req, res) => res.end('x'),
}));

/** What a subscriber does with a request and its response before any handler has them, as one that blocks clients does. */
const acts: Readonly<Record<string, (res: http.ServerResponse, req: http.IncomingMessage) => unknown>> = {
  'ends the response': (res) => res.end('by the subscriber'),
  'ends the response with octets': (res) => res.end(Buffer.alloc(5000, 'x')),
  'ends the response, which closes the connection': (res) => res.writeHead(403, { Connection: 'close' }).end('no'),
  'ends the response after a part': (res) => {
    res.write('a part, ');
    res.end('by the subscriber');
  },
  'writes a part': (res) => res.write('by the subscriber, '),
  'sends the head': (res) => res.flushHeaders(),
  'sends an early hint': (res) => res.writeEarlyHints({ link: '</a>; rel=preload' }),
  'corks the response, and ends it': (res) => {
    res.cork();
    res.end('by the subscriber');
  },
  'pipes the body into the response': (res, req) => req.pipe(res),
  'ends the socket': (res) => res.req.socket.end('raw'),
};

const blocking = Object.entries(acts).map(([name, act]): Scenario => ({
  name: `a subscriber that ${name} before the handler`,
  send: post('/one', 'abc'),
  then: name === 'ends the socket' ? 'wait' : 'probe',
  answers: name === 'ends the socket' ? 0 : 1,
  setup: (server, log) => {
    const hear = (message: unknown): void => {
      const { request, response } = messageOf(message);
      if (request.url !== '/one') return;
      for (const event of ['prefinish', 'finish', 'close']) response.on(event, () => log('response', event));
      act(response, request);
    };
    diagnostics.subscribe(CHANNELS[0], hear);
    server.once('close', () => diagnostics.unsubscribe(CHANNELS[0], hear));
  },
  handler: (_req, res, log) => {
    log('handler', 'called', [res.headersSent, res.writableEnded, res.socket !== null]);
    setImmediate(() => {
      if (!res.writableEnded && res.listenerCount('unpipe') === 0) res.end('by the handler');
    });
  },
}));

const channels: Scenario[] = [
  ...starts,
  ...blocking,
  followed({
    name: 'a subscriber follows the response of a request',
    send: get('/one'),
    handler: (_req, res, log) => {
      res.on('finish', () => log('handler', 'finish', res.socket !== null));
      res.end('x');
    },
  }),
  followed({
    name: 'a subscriber follows the responses of pipelined requests',
    send: get('/one') + get('/two') + post('/three', 'abc'),
    answers: 3,
    handler: (req, res) => setTimeout(() => res.end('x'), req.url === '/one' ? 20 : 0),
  }),
  published({
    name: 'the diagnostics channels report a request',
    send: get('/one'),
    handler: (_req, res) => res.end('x'),
  }),
  published({
    name: 'the diagnostics channels report pipelined requests',
    send: get('/one') + get('/two') + post('/three', 'abc'),
    answers: 3,
    handler: (_req, res) => {
      setImmediate(() => res.end('x'));
    },
  }),
  published({
    name: 'the diagnostics channels report a destroyed answer',
    send: get('/one'),
    answers: 0,
    then: 'wait',
    handler: (_req, res) => res.destroy(),
  }),
  published({
    name: 'the diagnostics channels report a refused expectation',
    send: 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
  }),
];

const contexts: Scenario[] = [
  {
    name: 'enterWith in one handler is not seen by the next on the connection',
    send: [get('/1'), get('/2'), get('/3')],
    answers: 3,
    handler: (req, res, log) => {
      log('store', 'at start', storage.getStore()?.url);
      storage.enterWith({ url: req.url ?? '' });
      setImmediate(() => {
        log('store', 'later', storage.getStore()?.url);
        res.end();
      });
    },
  },
  {
    name: 'enterWith is not seen by pipelined requests',
    send: get('/1') + get('/2') + get('/3'),
    answers: 3,
    handler: (req, res, log) => {
      log('store', 'at start', storage.getStore()?.url);
      storage.enterWith({ url: req.url ?? '' });
      res.end();
    },
  },
  {
    name: "the store on 'end' is the request's own or none, never another's",
    send: post('/1', 'x'.repeat(100_000)) + post('/2', 'abc'),
    answers: 2,
    handler: (req, res, log) =>
      storage.run({ url: req.url ?? '' }, () => {
        req.on('data', () => undefined);
        req.on('end', () => {
          const { url } = storage.getStore() ?? req;
          log('store', 'own', url === req.url);
          res.end();
        });
      }),
  },
  {
    name: 'a store lasts through for await',
    send: post('/1', 'abc') + post('/2', 'def'),
    answers: 2,
    handler: (req, res, log) =>
      storage.run({ url: req.url ?? '' }, async () => {
        for await (const chunk of req) log('store', 'in loop', [storage.getStore()?.url, String(chunk)]);
        log('store', 'after loop', storage.getStore()?.url);
        res.end();
      }),
  },
  {
    name: 'a store lasts through a body that comes later',
    handler: (req, res, log) =>
      storage.run({ url: req.url ?? '' }, () => {
        res.flushHeaders();
        req.on('data', () => log('store', 'on data', storage.getStore()?.url));
        req.on('end', () => {
          log('store', 'on end', storage.getStore()?.url);
          res.end();
        });
      }),
    talk: async (client) => {
      await client.send('POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n');
      await client.untilReceived('\r\n\r\n');
      await client.send('abcdef');
      await client.answer();
      client.drop();
    },
  },
  {
    name: "a store is present in the response's finish and close",
    send: get('/1') + get('/2'),
    answers: 2,
    handler: (req, res, log) =>
      storage.run({ url: req.url ?? '' }, () => {
        for (const event of ['finish', 'close'])
          res.on(
            event,
            AsyncResource.bind(() => log(`store ${req.url}`, event, storage.getStore()?.url)),
          );
        res.end('x', () => log(`store ${req.url}`, 'callback', storage.getStore()?.url));
      }),
  },
];

eachSameThroughBothDoors([late, ...ends, ...channels, ...contexts]);
