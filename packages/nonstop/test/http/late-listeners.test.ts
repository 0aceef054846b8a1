import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import { finished } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { eachSameThroughBothDoors, play, type Handler, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';

type Step<T> = readonly [name: string, run: T];
type Listen = (req: http.IncomingMessage, heard: (what: string) => void) => unknown;

/** What a handler does with its request before it waits. */
const touches: readonly Step<(req: http.IncomingMessage) => unknown>[] = [
  ['untouched', () => undefined],
  ['listened to for errors', (req) => req.on('error', () => undefined)],
  ['resumed', (req) => req.resume()],
  ['paused', (req) => req.pause()],
  ['asked for its stream', (req) => req.readable],
];

const waits: readonly Step<() => unknown>[] = [
  [
    'four promises',
    async () => {
      for (let i = 0; i < 4; i++) await Promise.resolve();
    },
  ],
  ['a tick', () => new Promise<void>((resolve) => process.nextTick(resolve))],
  ['a turn of the loop', () => turn()],
];

const listens: readonly Step<Listen>[] = [
  ["'end'", (req, heard) => req.on('end', () => heard('end'))],
  ["'data' and 'end'", (req, heard) => req.on('data', (data) => heard(String(data))).on('end', () => heard('end'))],
  [
    "'readable' and 'end'",
    (req, heard) =>
      req
        .on('readable', () => {
          for (let data = req.read() as unknown; data !== null; data = req.read()) heard(String(data));
        })
        .on('end', () => heard('end')),
  ],
  ["once 'end' and resume()", (req, heard) => once(req.resume(), 'end').then(() => heard('end'))],
  [
    'for await',
    async (req, heard) => {
      for await (const data of req) heard(String(data));
      heard('end');
    },
  ],
  ['stream.finished', (req, heard) => finished(req.resume(), (error) => heard(error?.message ?? 'end'))],
  ["'close'", (req, heard) => req.on('close', () => heard('end'))],
];

const answers = ['at once', 'when it listens', 'turns later'] as const;

const head = (path: string, ...lines: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const length = (path: string): string => head(path, 'Content-Length: 5');
const chunked = (path: string): string => head(path, 'Transfer-Encoding: chunked');
const packets: readonly (readonly string[])[] = [
  [head('/none', 'Content-Length: 0')],
  [`${length('/with-its-head')}hello`],
  [length('/behind-its-head'), 'hello'],
  [`${length('/in-two')}hel`, 'lo'],
  [`${chunked('/chunk-with-its-head')}5\r\nhello\r\n0\r\n\r\n`],
  [chunked('/chunks'), '2\r\nhe\r\n', '3\r\nllo\r\n', '0\r\n\r\n'],
  [`${head('/first')}${length('/second')}hello${chunked('/third')}3\r\nyou\r\n0\r\n\r\n`],
];

interface Choice {
  readonly touch: Step<(req: http.IncomingMessage) => unknown>;
  readonly wait: Step<() => unknown>;
  readonly listen: Step<Listen>;
  readonly answer: (typeof answers)[number];
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** Waits for an event that comes after a few turns, or after more on a busy machine. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 10_000 && !holds(); i++) await turn();
}

function handler({ touch, wait, listen, answer }: Choice): Handler {
  return async (req, res, log) => {
    touch[1](req);
    if (answer === 'at once') res.end('answer');
    await wait[1]();
    let heard = '';
    void listen[1](req, (what) => (heard += what));
    if (answer === 'when it listens') res.end('answer');
    await turns(4);
    if (answer === 'turns later') res.end('answer');
    await until(() => req.complete);
    await turns(4);
    // As one text, because the chunk boundaries of a body have no meaning.
    log(`request ${req.url}`, 'heard', [heard, req.complete, req.readableEnded, req.destroyed, req.readableFlowing]);
  };
}

const scenario = (choice: Choice): Scenario => {
  const handle = handler(choice);
  let running = 0;
  return {
    name: `${choice.listen[0]} after ${choice.wait[0]}, ${choice.touch[0]}, answered ${choice.answer}`,
    handler: async (...given) => {
      running++;
      await handle(...given);
      running--;
    },
    talk: async (client, { sendEach }) => {
      for (const pieces of packets) {
        await sendEach(client, pieces);
        for (let i = pieces[0].split('HTTP/1.1').length; i > 1; i--) await client.answer();
      }
      // The handlers continue after their answers.
      await until(() => running === 0);
    },
  };
};

const choices: Choice[] = touches.flatMap((touch) =>
  waits.flatMap((wait) => listens.flatMap((listen) => answers.map((answer) => ({ touch, wait, listen, answer })))),
);

// On node an answered, unread request has usually ended before a late listener is added. Here it ends on first use, so
// a late listener may get more events than on node (docs/compat), never fewer.
const isAnsweredUnread = ({ touch, answer }: Choice): boolean => touch[0] === 'untouched' && answer === 'at once';

eachSameThroughBothDoors(choices.filter((choice) => !isAnsweredUnread(choice)).map(scenario));

for (const choice of choices.filter(isAnsweredUnread)) {
  const one = scenario(choice);
  test(one.name, async () => {
    const { events } = await play(doors[1], one);
    const heard = Object.values(events).map(([seen]) => (seen as [string, unknown[]])[1]);
    assert.equal(heard.length, 9);
    for (const each of heard) {
      assert.match(String(each[0]), /end$/);
      assert.deepEqual(each.slice(1, 4), [true, true, true]);
    }
  });
}
