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
  if (answer !== RESET) return { ...seen, wire: JSON.stringify(answer), ending: 'end' };
  if (seen.ending === 'open') return { ...seen, wire: beginningOf(seen.wire) };
  return { ...seen, wire: '', ending: 'reset' };
}

/** @param closed whether the stream has ended, although its client did not end it */
export function answerOver2(answer: Http2Answer, closed: boolean): Received {
  const compared = comparedOf2(answer);
  if (compared !== undefined) return { wire: JSON.stringify(compared), ending: 'end' };
  if (closed) return { wire: '', ending: 'reset' };
  const { status, body } = answer;
  return { wire: status === 0 ? '' : soFar(status, body.toString('latin1')), ending: 'open' };
}

const soFar = (status: number | string, body: string): string => `${status}, so far ${JSON.stringify(body)}`;

const FINAL_HEAD = /(?:^|\r\n)HTTP\/1\.1 ([2-5]\d\d) .*?\r\n\r\n/s;
const CHUNK = /^([\da-f]+)\r\n/i;

/** @returns the status and the octets of an answer that has not ended; empty without a head */
function beginningOf(wire: string): string {
  const head = FINAL_HEAD.exec(wire);
  if (head === null) return '';
  let rest = wire.slice(head.index + head[0].length);
  if (!/\r\ntransfer-encoding: chunked\r\n/i.test(head[0])) return soFar(head[1], rest);
  let body = '';
  for (let chunk = CHUNK.exec(rest); chunk !== null; chunk = CHUNK.exec(rest)) {
    const size = Number.parseInt(chunk[1], 16);
    body += rest.slice(chunk[0].length, chunk[0].length + size);
    rest = rest.slice(chunk[0].length + size + '\r\n'.length);
  }
  return soFar(head[1], body);
}
