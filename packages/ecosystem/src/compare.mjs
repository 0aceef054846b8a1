/**
 * @typedef {{ note: string, value?: unknown }} Note something that the program reported
 * @typedef {{ request: string, interim: object[], status: string, fields: string[], body: string, chunks?: number[], trailers?: unknown, closed?: true }} Exchange
 * @typedef {Note | Exchange} Entry
 * @typedef {{ transcript: Entry[], served: { engine: number, 'node:http': number }, express: string[], error?: string }} Side
 */

/** Maximum number of reported differences of a row. */
const most = 6;

/**
 * @param {Side} express
 * @param {Side} nonstop
 * @param {{ masks?: [RegExp, string][], chunks?: boolean, polls?: boolean }} [how]
 * @returns {string[]} the differences, each in a line with Express's value first; empty if the sides are equal and the engine answered all
 */
export function differences(express, nonstop, how = {}) {
  const found = [];
  const [theirs, ours] = [express, nonstop].map(({ transcript }) => linesOf(transcript, how));
  const length = Math.max(theirs.length, ours.length);
  for (let place = 0; place < length && found.length < most; place++) {
    if (theirs[place] !== ours[place]) {
      found.push(`${short(theirs[place])} / ${short(ours[place])}`);
      // After a line that only one side has, all following lines would differ.
      if (theirs.length !== ours.length) break;
    }
  }
  if (nonstop.error !== undefined) found.push(`Nonstop's side ended with: ${short(nonstop.error)}`);
  const [before, after] = [express, nonstop].map(({ served }) => served.engine + served['node:http']);
  if (before !== after && !how.polls) found.push(`${before} requests were answered / ${after}`);
  if (nonstop.served.engine === 0) found.push('the engine answered no request');
  else if (nonstop.served['node:http'] > 0)
    found.push(`node:http answered ${nonstop.served['node:http']} of the requests`);
  return found;
}

/** @param {string | undefined} text */
const short = (text) => (text === undefined ? '(nothing)' : text.length > 400 ? `${text.slice(0, 400)}…` : text);

/**
 * A line for each part that can differ, with the request before it.
 * @param {Entry[]} transcript
 * @param {{ masks?: [RegExp, string][], chunks?: boolean }} how
 */
function linesOf(transcript, { masks = [], chunks: framing = true }) {
  const masked = (/** @type {string} */ text) =>
    masks.reduce((line, [pattern, instead]) => line.replace(pattern, instead), text);
  return transcript
    .flatMap((entry) => {
      if ('note' in entry) return [`${entry.note}: ${JSON.stringify(entry.value)}`];
      const { request, interim, status, fields, body, chunks, trailers, closed } = entry;
      const framed = { ...(framing && { chunks }), trailers, closed };
      const last = [JSON.stringify(framed), body];
      return [...interim.map((each) => JSON.stringify(each)), status, ...fields, ...last].map(
        (line) => `${request} → ${line}`,
      );
    })
    .map(masked);
}
