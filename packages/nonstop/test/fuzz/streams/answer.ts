import type { Seen } from '../../support/plays.js';
import type { Http2Answer } from '../../support/http2-client.js';
import { comparedOf1, comparedOf2, MISMEASURED, RESET } from '../../parity/over-http2.js';

/** What the client received, in the form of what a connection's client has seen. */
export type Received = Pick<Seen, 'wire' | 'ending'>;

/** An answer whose length is wrong: what is left of it depends on the protocol (docs/compat). */
export const WRONG_LENGTH = 'the answer has a wrong length';

/** @returns what was seen over HTTP/1, with the answer in a form that HTTP/2 has too */
export function answerOver1(seen: Seen, method: string): Seen {
  const answer = comparedOf1(seen.wire, method);
  if (answer === MISMEASURED) return { ...seen, wire: WRONG_LENGTH, ending: 'end' };
  if (answer === RESET) return { ...seen, wire: '', ending: seen.ending === 'open' ? 'open' : 'reset' };
  return { ...seen, wire: JSON.stringify(answer), ending: 'end' };
}

/** @param closed whether the stream has ended, although its client did not end it */
export function answerOver2(answer: Http2Answer, closed: boolean): Received {
  const compared = comparedOf2(answer);
  if (compared === undefined) return { wire: '', ending: closed ? 'reset' : 'open' };
  return { wire: JSON.stringify(compared), ending: 'end' };
}
