import type { Scene } from '../support/plays.js';

/** A state of a message, and how to bring a message there. */
export interface State {
  readonly name: string;
  readonly message: 'res' | 'req';
  /** Brings the message to the state; returns nothing if that takes no time. */
  readonly reach: (scene: Scene) => void | Promise<void>;
  /** The request as it is sent first. If it has another one in front, it is the second. */
  readonly request?: string;
  /** The part of it that is sent only after the act. */
  readonly rest?: string;
  /** Whether another request is in front of it, which is answered after the act. */
  readonly waits?: boolean;
}

const GET = 'GET /row HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (body: string): string => `POST /row HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n${body}`;
const nothing = (): void => {};
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const fields = ({ res }: Scene): void => {
  res.setHeader('X-First', 'first');
  res.setHeader('x-second', ['2', '3']);
};

export const states: readonly State[] = [
  { name: 'a response that is fresh', message: 'res', reach: nothing },
  { name: 'a response with fields', message: 'res', reach: fields },
  {
    name: 'a response whose head is written',
    message: 'res',
    reach: ({ res }) => void res.writeHead(202, 'Taken', { 'X-First': 'first' }),
  },
  {
    name: 'a response whose head is flushed',
    message: 'res',
    reach: (scene) => {
      fields(scene);
      scene.res.flushHeaders();
    },
  },
  { name: 'a response after a first write', message: 'res', reach: ({ res }) => void res.write('begun ') },
  {
    name: 'a response after a first write, in a later turn',
    message: 'res',
    reach: async ({ res, stage }) => {
      res.write('begun ');
      await stage.settled(1);
    },
  },
  { name: 'a response that has just ended', message: 'res', reach: ({ res }) => void res.end('whole') },
  {
    name: 'a response that has just ended in parts',
    message: 'res',
    reach: ({ res }) => {
      res.write('one ');
      res.end('two');
    },
  },
  {
    name: 'a response a tick after its end',
    message: 'res',
    reach: async ({ res }) => {
      res.end('whole');
      await tick();
    },
  },
  {
    name: 'a response that is closed',
    message: 'res',
    reach: async ({ res, stage }) => {
      res.end('whole');
      await stage.settled(1);
    },
  },
  {
    name: 'a response that is destroyed',
    message: 'res',
    reach: async ({ res }) => {
      res.destroy();
      await tick();
    },
  },
  { name: 'a response that waits behind another', message: 'res', reach: nothing, waits: true },
  {
    name: 'a response with a part that waits behind another',
    message: 'res',
    reach: ({ res }) => void res.write('begun '),
    waits: true,
  },
  {
    name: 'a response that has ended and waits behind another',
    message: 'res',
    reach: ({ res }) => void res.end('whole'),
    waits: true,
  },
  {
    name: 'a response to HEAD',
    message: 'res',
    request: GET.replace('GET', 'HEAD'),
    reach: fields,
  },
  {
    name: 'a response to HTTP/1.0',
    message: 'res',
    request: GET.replace('1.1', '1.0'),
    reach: fields,
  },
  { name: 'a request that is fresh', message: 'req', reach: nothing },
  {
    name: 'a request with an unread body',
    message: 'req',
    request: post('all of '),
    rest: 'i',
    reach: nothing,
  },
  {
    name: 'a request whose body is there unread',
    message: 'req',
    request: post('all of i'),
    reach: ({ stage }) => stage.settled(1),
  },
  {
    name: 'a request whose body is being read',
    message: 'req',
    request: post('half'),
    rest: ' now',
    reach: async ({ req, stage }) => {
      req.on('data', (part: Buffer) => stage.note('act', `data ${String(part)}`));
      await stage.settled(1);
    },
  },
  {
    name: 'a request that is at its end',
    message: 'req',
    request: post('all of i'),
    reach: async ({ req, stage }) => {
      req.resume();
      await stage.settled(1);
    },
  },
  {
    name: 'a request without a body, at its end',
    message: 'req',
    reach: async ({ req, stage }) => {
      req.resume();
      await stage.settled(1);
    },
  },
  { name: 'a request that has just been answered', message: 'req', reach: ({ res }) => void res.end('whole') },
  {
    name: 'a request with an unread body that is answered',
    message: 'req',
    request: post('all of i'),
    reach: async ({ res, stage }) => {
      res.end('whole');
      await stage.settled(1);
    },
  },
  {
    name: 'a request that is answered and closed',
    message: 'req',
    reach: async ({ res, stage }) => {
      res.end('whole');
      await stage.settled(1);
    },
  },
  {
    name: 'a request that is destroyed',
    message: 'req',
    reach: async ({ req }) => {
      req.destroy();
      await tick();
    },
  },
  { name: 'a request behind another', message: 'req', reach: nothing, waits: true },
];

export const requestOf = (state: State): string => (state.waits === true ? GET : '') + (state.request ?? GET);
