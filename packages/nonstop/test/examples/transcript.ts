import type { RawAnswer } from '../support/raw-http.js';

/** One named step of a visit and its answer, as lines of text: a status line, fields in order, a body. */
export interface Moment {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The maximum difference between a time that the server wrote and ours. */
const TOLERANCE_MS = 120_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;
const YEAR_MS = 365 * 24 * 60 * 60_000;
/** The times at which the example's cookies expire, besides the fixed past date of a cleared cookie. */
const LIFETIMES: readonly (readonly [number, string])[] = [
  [0, '<now>'],
  [WEEK_MS, '<in a week>'],
  [YEAR_MS, '<in a year>'],
];

/**
 * Replaces the values that always differ between two runs: the Date of an answer, the expiry of a cookie, the id of an event. Each value is
 * checked first, so a wrong time stays visible.
 */
export function maskTimes(line: string): string {
  const date = /^Date: (.*)$/.exec(line);
  if (date !== null) return `Date: ${maskTime(date[1])}`;
  const expiry = /^(Set-Cookie: .*; Expires=)([^;]*)(.*)$/.exec(line);
  if (expiry !== null) return `${expiry[1]}${maskTime(expiry[2])}${expiry[3]}`;
  return maskIds(line);
}

/** The ids of the tracker's events begin with the time of its start. */
function maskIds(text: string): string {
  return text.replace(/^id: (\d+)$/gm, (line, id) =>
    Math.abs(Number(id) - Date.now()) < TOLERANCE_MS ? 'id: <now>' : line,
  );
}

function maskTime(text: string): string {
  const time = Date.parse(text);
  // IMF-fixdate, RFC 9110 §5.6.7
  if (new Date(time).toUTCString() !== text) return text;
  const offset = time - Date.now();
  return LIFETIMES.find(([expected]) => Math.abs(offset - expected) < TOLERANCE_MS)?.[1] ?? text;
}

/** @returns the answer as lines; a binary body is shown as its length and bytes in hex */
export function linesOf(answer: RawAnswer): string[] {
  const heads = [...answer.informational, answer].flatMap((head) => [
    `HTTP/${head.version} ${head.status} ${head.reason}`,
    ...head.fields.map(([name, value]) => maskTimes(`${name}: ${value}`)),
    '',
  ]);
  const trailers = answer.trailers.map(([name, value]) => `trailer ${name}: ${value}`);
  return [...heads, `(${answer.framing}, ${answer.body.length} bytes)`, ...bodyLines(answer.body), ...trailers];
}

/** @returns all that a connection received until its end, as lines */
export function linesOfWire(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\r\n').map(maskTimes);
}

/** A body as lines: of text, or else of bytes in hex. */
export function bodyLines(body: Buffer): string[] {
  const text = body.toString('utf8');
  if (!text.includes('\uFFFD') && !text.includes('\0')) return maskIds(text).split('\n');
  return body.toString('hex').match(/.{1,160}/g) ?? [];
}

/**
 * The differences between two visits, each with the name of its step and the first line that differs.
 *
 * @returns [] if the visits are equal
 */
export function differences(expected: readonly Moment[], actual: readonly Moment[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < Math.max(expected.length, actual.length); i++) {
    const [was, is] = [expected[i], actual[i]];
    if (was?.name !== is?.name) return [...found, `moment ${i}: expected "${was?.name}", got "${is?.name}"`];
    const at = was.lines.findIndex((line, n) => line !== is.lines[n]);
    const line = at === -1 && is.lines.length > was.lines.length ? was.lines.length : at;
    if (line !== -1) found.push(describeDifference(was, is, line));
  }
  return found;
}

function describeDifference(was: Moment, is: Moment, line: number): string {
  const shown = (text: string | undefined): string =>
    text === undefined ? '(nothing)' : JSON.stringify(text.slice(0, 300));
  return [
    `${was.name}, line ${line + 1}`,
    `  after:    ${shown(was.lines[line - 1])}`,
    `  expected: ${shown(was.lines[line])}`,
    `  got:      ${shown(is.lines[line])}`,
  ].join('\n');
}
