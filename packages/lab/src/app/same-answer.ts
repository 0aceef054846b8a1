import { ask, type Answer } from '../ask.js';
import { Peer, type PeerOptions } from '../peer.js';
import type { Expected, LoadShape, ScenarioRequest } from '../scenario.js';
import { asOverHttp2, differences, isDate } from '../verify.js';
import type { Entry } from './entry.js';

export interface Likeness {
  /** The answer that both must give; parts that Express itself changes from one request to the next are left open. */
  readonly expected: Expected;
  /** Names of those parts. */
  readonly varying: readonly string[];
  /** One line for each difference. */
  readonly differences: readonly string[];
  /** The server uses TLS. */
  readonly secure: boolean;
  /** Why the answers may be those of another server of the application than the one that is meant, in a sentence. */
  readonly doubt: string | undefined;
}

/**
 * Sends an application the same request twice on Express and twice on Nonstop. Parts that vary on Express are not
 * compared.
 *
 * @param over2 how Nonstop is asked over HTTP/2; then Express, which has none, is asked over HTTP/1.1
 * @throws {Error} in one line, when one of them does not start or does not answer
 */
export async function sameAnswer(
  entry: Entry,
  request: ScenarioRequest,
  options: PeerOptions,
  over2?: LoadShape,
): Promise<Likeness> {
  const express = await askTwice('Express', entry, { request, options });
  const nonstop = await askTwice('Nonstop', entry, { request, options, over2 });
  const { expected, varying } = steadyPart(...express.answers);
  const { answers, secure, doubt } = nonstop;
  const wanted = over2 === undefined ? expected : asOverHttp2(expected);
  return { expected: wanted, varying, differences: differences(answers[1], wanted), secure, doubt };
}

interface Question {
  readonly request: ScenarioRequest;
  readonly options: PeerOptions;
  readonly over2?: LoadShape;
}

/** Milliseconds to wait: a connection may close before the exit of its process is reported. */
const grace = 500;

async function askTwice(
  name: 'Express' | 'Nonstop',
  { peers }: Entry,
  { request, options, over2 }: Question,
): Promise<Pick<Likeness, 'secure' | 'doubt'> & { readonly answers: readonly [Answer, Answer] }> {
  const peer = await startApp(name, peers, options);
  try {
    const { port, secure, doubt } = peer;
    const shape = over2 ?? { secure };
    return { answers: [await ask(port, request, shape), await ask(port, request, shape)], secure, doubt };
  } catch (error) {
    const why = gist((await peer.ends(grace)) ? new Error(peer.obituary()) : error);
    throw new Error(`Under ${name}, the application does not answer: ${why}`, { cause: error });
  } finally {
    await peer.stop();
  }
}

/**
 * Starts an application.
 *
 * @throws {Error} in one line, when it does not start or does not listen
 */
export async function startApp(
  name: 'Express' | 'Nonstop',
  peers: Entry['peers'],
  options: PeerOptions,
): Promise<Peer> {
  try {
    return await Peer.start(peers[name], options);
  } catch (error) {
    options.signal?.throwIfAborted();
    const why = gist(error);
    const hint = why.includes('ended (0) before it listened')
      ? '; name the file that calls listen(), such as ./server.js or ./bin/www'
      : '';
    throw new Error(`Under ${name}, the application does not start: ${why}${hint}`, { cause: error });
  }
}

/** The line with the error in the output of a process, or else the first and the last line. */
export function gist(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, said] = /^\s*(?:Uncaught )?(\w*Error\b.*|FATAL ERROR: .*)$/m.exec(text) ?? [];
  if (said !== undefined) return said.trim();
  const [first, ...printed] = text.trim().split('\n');
  const last = printed.at(-1)?.trim();
  return last === undefined ? first : `${first}: ${last}`;
}

/** The second of two answers to the same request, with the parts in which they differ left open. */
export function steadyPart(first: Answer, second: Answer): Pick<Likeness, 'expected' | 'varying'> {
  const varying = new Set<string>();
  const fields = second.fields.map(([name, value], place) => {
    const [otherName, otherValue] = first.fields[place] ?? [];
    const steady = !isDate(name) && name === otherName && value === otherValue;
    if (!steady && !isDate(name)) varying.add(name);
    return [name, steady ? value : null] as const;
  });
  const body = first.body === second.body ? second.body : null;
  if (body === null) varying.add('the body');
  const { status, reason } = second;
  return { expected: { status, reason, fields, body }, varying: [...varying] };
}
