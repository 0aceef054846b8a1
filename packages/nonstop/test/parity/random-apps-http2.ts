import { once } from 'node:events';
import type http = require('node:http');
import { inspect } from 'node:util';
import type express = require('express');
import { ours, type Framework } from '../support/framework.js';
import type { Http2Ask } from '../support/http2-client.js';
import { oracle } from '../support/oracle.js';
import { RawClient } from '../support/raw-http.js';
import { askOf, comparedOf1, Http2Side, MISMEASURED, RESET, type Told } from './over-http2.js';
import type { Uncaught } from './uncaught.js';
import type { ProgramPlan } from './random-program.js';
import { requestBytes } from './write-program.js';

/** Statements about what HTTP/2 has in another form; docs/compat has the rows. */
const OWN_OF_HTTP1: readonly RegExp[] = [
  // Members that a prototype did not have are found by the requests of the next turn.
  /\brootOf\(req\)\.(?:request|response)\b/,
  /\breq\.complete\b/,
  // 'finish' comes some ticks later.
  /'(?:finish|prefinish|close)'|finished|\bmorgan\b/,
  /statusCode = 99/,
  // Outside ASCII.
  /[^\0-\x7f]/,
];

/** Whether a program is played over HTTP/2. */
export function isForHttp2(plan: ProgramPlan): boolean {
  const text = JSON.stringify(plan.layers);
  return !OWN_OF_HTTP1.some((each) => each.test(text));
}

/** When a request counts as unanswered. */
interface Waiting {
  /** In milliseconds. */
  readonly patience: number;
  readonly uncaught: Uncaught;
  /** Whether nothing else runs, so that each uncaught error belongs to a side. */
  readonly alone: boolean;
}

/** Stands for a request that is not answered in time. */
const NOTHING = 'no answer';

/** Stands for an answer with a status that HTTP/2 does not have. */
const UNKNOWN_STATUS = 'a status above 599, or a final one below 200';

type Answer = Told['answer'] | typeof MISMEASURED | typeof NOTHING | typeof UNKNOWN_STATUS;

let answered = 0;

/** The number of answers over HTTP/2 by messages of this package. */
export const answeredOverHttp2 = (): number => answered;

/**
 * Sends the requests of a program one after another: to Express over HTTP/1, each on a connection of its own, and to Nonstop over HTTP/2
 * in one session. Requests that HTTP/2 cannot carry are left out.
 *
 * @param make creates the application
 * @param waiting when a request counts as unanswered, and whether uncaught errors are compared
 */
export async function outcomesOverHttp2(
  { requests }: ProgramPlan,
  make: (framework: Framework) => express.Express,
  waiting: Waiting,
): Promise<readonly (readonly [side: string, outcome: string])[]> {
  const sent = requests
    .map((request) => requestBytes(request, true))
    .map((bytes) => ({ bytes, asked: askOf(bytes) }))
    .filter((each): each is { bytes: Buffer; asked: Http2Ask } => each.asked !== undefined);
  if (waiting.alone) await waiting.uncaught.take();
  const over1 = await answersOf1(make(oracle), sent, waiting);
  const errors1 = waiting.alone ? await waiting.uncaught.take() : [];
  const over2 = await answersOf2(make(ours), sent, waiting);
  let errors2 = waiting.alone ? await waiting.uncaught.take() : [];
  for (const [i, answer] of over1.entries()) {
    if (answer === MISMEASURED) over2[i] = MISMEASURED;
    // docs/compat has the row.
    else if (answer === UNKNOWN_STATUS) over2[i] = UNKNOWN_STATUS;
  }
  // Nobody catches the refusal if the answer is sent by a callback, such as that of a store of sessions.
  if (over1.includes(UNKNOWN_STATUS)) errors2 = errors2.filter((error) => !error.includes('Invalid status code'));
  return [
    ['Express', inspect([...over1, ...errors1], { depth: 4, breakLength: 200 })],
    ['Nonstop over HTTP/2', inspect([...over2, ...errors2], { depth: 4, breakLength: 200 })],
  ];
}

async function answersOf1(
  app: express.Express,
  sent: readonly { readonly bytes: Buffer }[],
  { patience, uncaught }: Waiting,
): Promise<Answer[]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answers: Answer[] = [];
  try {
    for (const { bytes } of sent) {
      const errors = uncaught.count;
      const client = await RawClient.open(server, { patience });
      const method = bytes.toString('latin1', 0, bytes.indexOf(' '));
      await client.send(bytes);
      const wire = await uncaught.orGivenUp(client.untilClose(), errors);
      answers.push(wire === undefined ? NOTHING : toldOf1(wire.toString('latin1'), method));
      client.drop();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return answers;
}

function toldOf1(wire: string, method: string): Answer {
  const answer = comparedOf1(wire, method);
  if (answer === RESET && wire.startsWith('HTTP/1.1 1')) return UNKNOWN_STATUS;
  return typeof answer !== 'string' && answer.status > 599 ? UNKNOWN_STATUS : answer;
}

async function answersOf2(
  app: express.Express,
  sent: readonly { readonly asked: Http2Ask }[],
  { patience, uncaught }: Waiting,
): Promise<Answer[]> {
  const side = await Http2Side.open((options) => (app.listen as (options: object) => http.Server)(options));
  const answers: Answer[] = [];
  try {
    for (const { asked } of sent) {
      const errors = uncaught.count;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<typeof NOTHING>((resolve) => {
        timer = setTimeout(resolve, patience, NOTHING);
      });
      const answer = side.send(asked).then((each) => each ?? RESET);
      answers.push((await uncaught.orGivenUp(Promise.race([answer, late]), errors)) ?? NOTHING);
      clearTimeout(timer);
    }
  } finally {
    answered += side.drop();
  }
  return answers;
}
