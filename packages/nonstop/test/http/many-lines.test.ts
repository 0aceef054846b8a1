import { eachSameThroughBothDoors, type Handler, type Scenario } from '../support/both-doors.js';

// From the 32nd field line of a head on, node's parser passes on the lines of this head and of all later ones before the head is complete, and ticks
// run there: an answer to the request before it goes out in front of what the head leads to.

const head = (path: string, lines: number, ...more: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...more, ...Array<string>(lines - 1 - more.length).fill('X-A: a'), '', ''].join(
    '\r\n',
  );

const UPGRADE = ['Connection: upgrade', 'Upgrade: x'] as const;

const handlers: Record<string, Handler> = {
  'at once': (_, res) => res.end('answer'),
  'behind an await': async (_, res) => {
    await Promise.resolve();
    res.end('answer');
  },
  'in a tick': (_, res) => process.nextTick(() => res.end('answer')),
};

const seconds: Record<string, (lines: number) => string> = {
  'an upgrade': (lines) => head('/two', lines, ...UPGRADE),
  'a head that is refused behind the line': (lines) => head('/two', lines).replace(/\r\n$/, 'no field line\r\n\r\n'),
  'what is no head, behind a head': (lines) => `${head('/two', lines)}no HTTP\r\n\r\n`,
};

const scenarios = Object.entries(handlers).flatMap(([how, handler]) =>
  Object.entries(seconds).flatMap(([what, second]) =>
    [
      [0, 31],
      [0, 32],
      [31, 5],
      [32, 5],
    ].map(([before, lines]): Scenario => ({
      name: `an answer ${how}, then ${what}, of ${lines} lines${before === 0 ? '' : `, behind a head of ${before}`}`,
      setup: (server) =>
        server.on('upgrade', (_, socket) => {
          socket.end('upgraded');
        }),
      handler: (req, res, log) => {
        log('handler', 'request', req.url);
        if (req.url === '/two') return;
        if (req.url === '/before') res.end('before');
        else handler(req, res, log);
      },
      talk: async (client) => {
        if (before !== 0) {
          await client.send(head('/before', before));
          await client.untilReceived('before');
        }
        await client.send(head('/one', 1) + second(lines));
        await client.untilClose();
      },
    })),
  ),
);

eachSameThroughBothDoors(scenarios);
