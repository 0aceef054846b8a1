import { once } from 'node:events';
import type http = require('node:http');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const threeAtOnce = get('/1') + get('/2') + get('/3');

/** Answers three pipelined requests, the last one first; reads `size` of each response at several moments. */
function backwards(name: string, size: (res: http.ServerResponse) => unknown, body: () => unknown): Scenario {
  // The doors run one after the other.
  let waiting: (() => void)[] = [];
  return {
    name,
    send: threeAtOnce,
    answers: 3,
    handler: (req, res, log) => {
      const ask = (when: string): void => log(`res ${req.url}`, when, size(res));
      ask('before');
      waiting.unshift(() => {
        res.end(body());
        ask('ended');
      });
      if (waiting.length < 3) return;
      const answers = waiting;
      waiting = [];
      setImmediate(() => {
        for (const answer of answers) answer();
        setImmediate(ask, 'later');
      });
    },
  };
}

type Outgoing = { outputSize: number; outputData: { data: string | Buffer }[] };
const withBody = (name: string, size: Parameters<typeof backwards>[1]): Scenario[] => [
  backwards(`${name} counts text`, size, () => 'text in a string'),
  backwards(`${name} counts octets`, size, () => Buffer.alloc(10_000, 'x')),
  backwards(`${name} counts a head alone`, size, () => undefined),
];

/** Answers 2 and 3 are sent together, and 2 gets a listener before it is notified. */
const heardOnItsWay: Scenario = {
  name: 'a listener added to an answer while it is sent does not give the turn to the answer after the next',
  send: threeAtOnce + get('/4'),
  answers: 4,
  handler: (() => {
    // The doors run one after the other.
    const open = new Map<string | undefined, http.ServerResponse>();
    return (req, res, log) => {
      open.set(req.url, res);
      if (req.url === '/2' || req.url === '/3') res.end(req.url);
      if (req.url !== '/4') return;
      const [first, second] = ['/1', '/2'].map((url) => open.get(url)!);
      // After the listener that starts the next response's turn.
      first.on('finish', () => second.on('finish', () => log('/2', 'finish')));
      setImmediate(() => {
        first.end('first');
        setImmediate(() => {
          res.on('finish', () => log('/4', 'finish'));
          res.end('last');
        });
      });
    };
  })(),
};

/** Answers 2 and 3 are given before the first one. */
const heardBehind: Scenario = {
  name: 'an answer with listeners that waits behind one without is told of its socket and of its end',
  send: threeAtOnce,
  answers: 3,
  handler: (() => {
    // The doors run one after the other.
    let first: http.ServerResponse | undefined;
    return (req, res, log) => {
      if (req.url === '/1') first = res;
      else res.end(req.url);
      if (req.url !== '/3') return;
      for (const event of ['socket', 'prefinish', 'finish', 'close'])
        res.on(event, () => log('/3', event, [res.socket !== null, res.writableFinished]));
      setImmediate(() => first!.end('first'));
    };
  })(),
};

/** The second of two responses is corked, and in some cases written to, while it waits for its turn. */
const corked: Scenario[] = (['nothing', 'a part', 'a part and the end', 'the end'] as const).map((given) => ({
  name: `${given} of an answer that is corked while it waits is sent when it is uncorked in its turn`,
  send: get('/1') + get('/2'),
  answers: 2,
  handler: (req, res) => {
    if (req.url === '/1') return void setImmediate(() => res.end('first'));
    res.cork();
    if (given.includes('part')) res.write('part ');
    if (given.includes('end')) res.end('end');
    res.on('socket', () =>
      setImmediate(() => {
        for (let corks = res.socket?.writableCorked ?? 0; corks > 0; corks--) res.socket?.uncork();
        if (!res.writableEnded) res.end('end');
      }),
    );
  },
}));

/** The first response is corked again after its end; the one that waits is not sent before it is uncorked. */
const corkedInFront: Scenario = {
  name: 'an answer that waits for one that is corked after its end is sent when that one is uncorked',
  send: get('/1') + get('/2') + get('/3'),
  answers: 3,
  handler: (req, res, log) => {
    const { socket } = req;
    if (req.url !== '/1') return res.end(req.url);
    const note = (when: string): void => log('socket', when, [socket.writableCorked, socket.writableLength > 0]);
    return setImmediate(() => {
      res.end('first');
      res.cork();
      setImmediate(() => {
        note('corked');
        for (let corks = socket.writableCorked; corks > 0; corks--) socket.uncork();
        note('uncorked');
      });
    });
  },
};

/** What waits of an answer that has ended is read, which makes it node's. */
const opened: Scenario[] = Object.entries({
  text: 'text',
  'text outside ASCII': 'd\xe9j\xe0 \u20ac',
  octets: Buffer.alloc(10_000, 'x'),
  'a head alone': undefined,
}).map(([what, body]) => ({
  name: `outputData of ${what} that waits for its turn`,
  send: get('/1') + get('/2') + get('/3'),
  answers: 3,
  handler: (req, res, log) => {
    if (req.url === '/1') return void setImmediate(() => res.end('first'));
    res.end(body);
    if (req.url === '/3') return undefined;
    // Which entries carry nothing but a callback differs from Node to Node.
    const filled = (res as unknown as Outgoing).outputData.filter(({ data }) => data.length > 0);
    const told = filled.map(({ data }) => [typeof data, data.length]);
    log('/2', 'outputData', told);
    return void res.on('finish', () => log('/2', 'finish', res.writableFinished));
  },
}));

/** Three answers without listeners are sent together after a late one. */
const togetherUnheard: Scenario = {
  name: 'three answers that leave together are all finished',
  send: threeAtOnce + get('/4'),
  answers: 4,
  handler: (() => {
    // The doors run one after the other.
    let open: http.ServerResponse[] = [];
    return (req, res, log) => {
      open.push(res);
      if (req.url !== '/1') return res.end(req.url);
      return setImmediate(() => {
        res.end('first');
        const note = (): void => {
          for (const each of open) log(`res ${each.req.url}`, 'at last', [each.writableFinished, each.destroyed]);
          open = [];
        };
        // After the ticks and the events of all of them.
        setImmediate(() => setImmediate(() => setImmediate(note)));
      });
    };
  })(),
};

/** More than the kernel takes of a client that does not read. */
const HUGE = 12_000_000;

/** The client says FIN when the answers are on their way, and reads them after that. */
const halfClosed: Scenario = {
  name: 'answers that leave together are finished when the client has half-closed meanwhile',
  setup: (server) => Object.assign(server, { httpAllowHalfOpen: true }),
  handler: (() => {
    // One run after the other, through each door.
    let open: http.ServerResponse[] = [];
    return (req, res, log) => {
      open.push(res);
      const note = (event: string) => (): void => log(`req ${req.url}`, event);
      req.on('aborted', note('aborted')).on('error', note('error')).on('close', note('close'));
      if (req.url !== '/1') return res.end(req.url === '/2' ? 'second' : 'x'.repeat(HUGE));
      req.socket.on('close', () => {
        for (const each of open) log(`res ${each.req.url}`, 'at last', [each.writableFinished, each.destroyed]);
        open = [];
      });
      return setImmediate(() => res.end('first'));
    };
  })(),
  talk: async (client, { server, log }) => {
    const first = once(server, 'request') as Promise<[http.IncomingMessage]>;
    client.socket.pause();
    await client.send(threeAtOnce);
    const [{ socket }] = await first;
    client.finish();
    await once(socket, 'end');
    client.socket.resume();
    log('client', 'connection', await client.ended);
  },
};

eachSameThroughBothDoors([
  togetherUnheard,
  halfClosed,
  corkedInFront,
  ...corked,
  heardOnItsWay,
  heardBehind,
  ...withBody('outputSize of an answer that waits for its turn', (res) => (res as unknown as Outgoing).outputSize),
  ...opened,
  ...withBody('writableLength of an answer that waits for its turn', (res) => res.writableLength),
]);
