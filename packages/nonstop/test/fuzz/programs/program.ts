import type { Step } from '../../support/plays.js';
import type { Pause } from '../../support/transcript.js';

/** The data of a fuzzed program: what a handler does, and what the client sends. */
export interface Program {
  readonly server: ServerPlan;
  readonly requests: readonly RequestPlan[];
  /** What the client does after it has sent everything. */
  readonly ending: 'probe' | 'finish' | 'drop' | 'reset';
  /** The client reads nothing before it has sent everything. */
  readonly slow: boolean;
  readonly stores: Stores;
}

/** The AsyncLocalStorage stores of a program. If there are any, listeners note the one in which they run. */
export interface Stores {
  /** Where the store of the connections comes from: the caller of `listen()`, or a listener for 'connection'. */
  readonly connections: 'none' | 'listen' | 'connection';
  /** How a handler comes into a store of its own: with `run()` or `enterWith()`. */
  readonly handlers: 'none' | 'run' | 'enter';
}

export const hasStores = ({ connections, handlers }: Stores): boolean => connections !== 'none' || handlers !== 'none';

export interface ServerPlan {
  readonly halfOpen: boolean;
  readonly continues: boolean;
  readonly clientError: boolean;
  readonly maxRequests: number;
}

export interface RequestPlan {
  readonly method: string;
  readonly version: '1.1' | '1.0';
  readonly fields: readonly string[];
  readonly body: BodyPlan;
  /** Nothing: it is sent in one segment with the request before. */
  readonly after: 'nothing' | 'read' | 'settled';
  readonly cut?: Cut;
  /** The handler first adds error listeners to both messages. */
  readonly guarded: boolean;
  readonly handler: readonly Statement[];
  /** When the handler ends an answer that has not ended; `body` is when the request's body has. */
  readonly ends: Pause | 'now' | 'never' | 'body';
}

export type BodyPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly size: number }
  | { readonly kind: 'chunked'; readonly sizes: readonly number[]; readonly trailer: boolean };

/** Where a request is cut in two, in thousandths of its octets; the second part may never arrive. */
export interface Cut {
  readonly at: number;
  readonly then: 'read' | 'settled' | 'lost';
}

export type Statement =
  | { readonly do: 'run'; readonly code: string }
  | { readonly do: 'pause'; readonly how: Pause }
  | { readonly do: 'later'; readonly how: Pause; readonly then: readonly string[] }
  | {
      readonly do: 'listen';
      readonly to: 'req' | 'res' | 'req.socket';
      readonly event: string;
      readonly how: 'on' | 'once' | 'prependListener';
      readonly then: readonly string[];
    };

/** @returns a request as latin1 */
function requestText({ method, version, fields, body }: RequestPlan, index: number): string {
  const lines = [`${method} /${index} HTTP/${version}`, 'Host: a', ...fields];
  if (body.kind === 'none') return `${lines.join('\r\n')}\r\n\r\n`;
  if (body.kind === 'length')
    return `${[...lines, `Content-Length: ${body.size}`].join('\r\n')}\r\n\r\n${letters(body.size, 0)}`;
  const chunks = body.sizes.map((size, i) => `${size.toString(16)}\r\n${letters(size, i)}\r\n`);
  const end = `0\r\n${body.trailer ? 'X-Sum: 5\r\n' : ''}\r\n`;
  return `${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunks.join('')}${end}`;
}

export const letters = (size: number, from: number): string =>
  Array.from({ length: size }, (_none, i) => String.fromCodePoint(97 + ((from + i) % 26))).join('');

/** @returns the client's steps, in order */
export function stepsOf({ requests, ending, slow }: Program): Step[] {
  const steps: Step[] = slow ? ['stop reading'] : [];
  let text = '';
  let wait: 'nothing' | 'read' | 'settled' = 'nothing';
  const flush = (next: typeof wait): void => {
    if (text !== '') steps.push({ send: text, await: wait });
    text = '';
    wait = next;
  };
  for (const [i, request] of requests.entries()) {
    if (request.after !== 'nothing') flush(request.after);
    const all = requestText(request, i);
    const { cut } = request;
    if (cut === undefined) {
      text += all;
      continue;
    }
    const at = Math.floor((all.length * cut.at) / 1000);
    text += all.slice(0, at);
    // Octets behind an incomplete request would be read as the rest of it.
    if (cut.then === 'lost') break;
    flush(cut.then);
    text += all.slice(at);
  }
  flush('nothing');
  return [...steps, ...lastSteps(requests, { ending, slow })];
}

/** Longer than any deadline that a statement sets, in ms. */
export const DEADLINES = 60;

function lastSteps(requests: readonly RequestPlan[], { ending, slow }: Pick<Program, 'ending' | 'slow'>): Step[] {
  const steps: Step[] = [];
  if (slow) steps.push('settle', 'read on');
  if (JSON.stringify(requests).includes('setTimeout(')) steps.push('settle', { sleep: DEADLINES });
  if (ending === 'probe') steps.push('settle', 'probe', 'settle');
  // If the client hangs up before the server has read anything, the result is chance.
  else steps.push('settle', ending, 'settle');
  return steps;
}
