import type { Step } from '../../support/plays.js';
import { DEADLINES, letters, type Program, type RequestPlan } from '../programs/program.js';

/**
 * One request, which HTTP/1 sends on a connection of its own and HTTP/2 on a stream. The client sends the head and both halves of the body when
 * nothing happens any more, and handlers wait for the same: otherwise the order would be chance.
 */
export interface StreamProgram extends Pick<RequestPlan, 'method' | 'guarded' | 'handler' | 'ends'> {
  readonly body: StreamBody;
  /** Whether the client gives the request up when nothing happens any more. */
  readonly ending: 'stay' | 'drop';
  /** The client's window for a stream, in octets: with a small one an answer leaves in many pieces. Not over HTTP/1. */
  readonly window: number;
}

export type StreamBody =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'length' | 'chunked';
      readonly size: number;
      readonly trailer: boolean;
      /** Whether the second half comes. */
      readonly second: boolean;
      /** Whether the whole body comes with the head, so that it has ended when a handler reads it later. An empty one ends in a frame of its own. */
      readonly atOnce: boolean;
    };

/** @returns the same as a program of HTTP/1, for its handlers */
export function asProgram({ method, guarded, handler, ends }: StreamProgram): Program {
  return {
    server: { halfOpen: false, continues: false, clientError: false, maxRequests: 0 },
    requests: [
      { method, version: '1.1', fields: [], body: { kind: 'none' }, after: 'nothing', guarded, handler, ends },
    ],
    ending: 'probe',
    slow: false,
    stores: { connections: 'none', handlers: 'none' },
  };
}

/** @returns the halves of a body */
export function halvesOf(body: StreamBody): readonly [first: string, second: string] {
  if (body.kind === 'none') return ['', ''];
  const text = letters(body.size, 0);
  const at = Math.floor(body.size / 2);
  return [text.slice(0, at), text.slice(at)];
}

/** What a client does after its request. */
export type Last = 'settle' | 'drop' | { readonly sleep: number };

/** Whether the head of a request ends its stream. */
export const endsWithHead = (body: StreamBody): boolean =>
  body.kind === 'none' || (body.kind === 'length' && body.size === 0 && !body.atOnce);

export function lastSteps({ handler, ending }: StreamProgram): Last[] {
  const steps: Last[] = ['settle'];
  if (JSON.stringify(handler).includes('setTimeout(')) steps.push({ sleep: DEADLINES }, 'settle');
  return ending === 'drop' ? [...steps, 'drop', 'settle'] : steps;
}

/** @returns the steps of a client of HTTP/1 */
export function stepsOver1(program: StreamProgram): Step[] {
  const { method, body } = program;
  const lines = [`${method} /0 HTTP/1.1`, 'Host: a'];
  if (body.kind === 'none') return [send(`${lines.join('\r\n')}\r\n\r\n`), ...lastSteps(program)];
  const isChunked = body.kind === 'chunked';
  const head = [...lines, isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.size}`].join('\r\n');
  const [first, second] = halvesOf(body).map((half) => (isChunked && half !== '' ? chunkOf(half) : half));
  const end = isChunked ? `0\r\n${body.trailer ? 'X-Sum: 5\r\n' : ''}\r\n` : '';
  if (body.atOnce) {
    const whole = halvesOf(body).join('');
    return [send(`${head}\r\n\r\n${isChunked && whole !== '' ? chunkOf(whole) : whole}${end}`), ...lastSteps(program)];
  }
  const steps = [send(`${head}\r\n\r\n`)];
  if (first !== '') steps.push(send(first, 'settled'));
  if (body.second) steps.push(send(`${second}${end}`, 'settled'));
  return [...steps, ...lastSteps(program)];
}

const send = (text: string, wait: 'nothing' | 'settled' = 'nothing'): Step => ({ send: text, await: wait });
const chunkOf = (octets: string): string => `${octets.length.toString(16)}\r\n${octets}\r\n`;
