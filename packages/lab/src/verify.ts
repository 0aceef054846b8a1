import type { Answer } from './ask.js';
import type { Expected, Scenario } from './scenario.js';

/** Whether a field may always differ between two processes. Over HTTP/2 its name is in lower case. */
export const isDate = (name: string): boolean => name.toLowerCase() === 'date';

/**
 * Compares an answer with the expected one: status, reason, every field's name, value and place, and the body.
 *
 * @returns one line for each difference; none if the answer is right
 */
export function differences(actual: Answer, expected: Expected): string[] {
  const found: string[] = [];
  const compare = (what: string, want: unknown, got: unknown): void => {
    if (want !== got) found.push(`${what}: expected ${show(want)}, got ${show(got)}`);
  };
  compare('status', expected.status, actual.status);
  compare('reason', expected.reason, actual.reason);
  compareFields(expected.fields, actual.fields, found);
  if (expected.body !== null) compareBodies(expected.body, actual.body, found);
  return found;
}

/**
 * Compares the answer of a framework that sends its own fields: status, media type and body.
 *
 * @returns as `differences`
 */
export function essentialDifferences(actual: Answer, expected: Expected): string[] {
  const essence = ({ status, body, fields }: Answer | Expected): Expected => ({
    status,
    reason: '',
    fields: fields.filter(([name]) => /^content-type$/i.test(name)).map(([, value]) => ['Content-Type', media(value)]),
    body,
  });
  return differences({ ...essence(actual), body: actual.body } as Answer, essence(expected));
}

/** A media type without its parameters, because frameworks write the charset differently. */
const media = (value: string | null): string | null => value && value.split(';')[0].trim().toLowerCase();

/**
 * Turns an answer into the expected one, for scenarios without an expected answer. The scenario's volatile parts are
 * blanked, here and, through `blank`, in the compared answers.
 */
export function expectationFrom(answer: Answer, scenario: Scenario): Expected {
  const { status, reason, fields, body } = blank(answer, scenario);
  return { status, reason, body, fields: fields.map(([name, value]) => [name, isDate(name) ? null : value]) };
}

/** Replaces the scenario's volatile parts by a mark. */
export function blank(answer: Answer, { volatile = [] }: Scenario): Answer {
  const patterns = volatile.map(({ pattern }) => new RegExp(pattern, 'g'));
  const clean = (text: string): string => patterns.reduce((left, pattern) => left.replace(pattern, '<volatile>'), text);
  return { ...answer, fields: answer.fields.map(([name, value]) => [name, clean(value)]), body: clean(answer.body) };
}

/** Fields of a connection, which HTTP/2 does not have (RFC 9113 §8.2.2). */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|upgrade)$/;

/** An answer as it is over HTTP/2: without a reason and fields of the connection, names in lower case. */
export function asOverHttp2<A extends Answer | Expected>(answer: A): A {
  const fields = answer.fields.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...answer, reason: '', fields: fields.filter(([name]) => !OF_CONNECTION.test(name)) };
}

/** What makes answers to a scenario comparable: over HTTP/2, contestants of HTTP/1.1 are compared as if they spoke it too. */
export const comparableIn = ({ load }: Pick<Scenario, 'load'>): (<A extends Answer | Expected>(answer: A) => A) =>
  load?.streams === undefined ? (answer) => answer : asOverHttp2;

type Fields = Expected['fields'];

/** Compares fields by name first: otherwise a missing field would make all later ones wrong. */
function compareFields(want: Fields, got: Fields, found: string[]): void {
  const rest = [...got];
  const inBoth: Fields[number][] = [];
  for (const [name, value] of want) {
    const place = rest.findIndex(([gotName]) => gotName === name);
    if (place === -1) {
      found.push(`field ${name} is missing${value === null ? '' : `: expected ${show(value)}`}`);
      continue;
    }
    const [[, gotValue]] = rest.splice(place, 1);
    inBoth.push([name, gotValue]);
    if (value !== null && value !== gotValue)
      found.push(`field ${name}: expected ${show(value)}, got ${show(gotValue)}`);
  }
  for (const [name, value] of rest) found.push(`field ${name} is not expected: got ${show(value)}`);
  const wantOrder = inBoth.map(([name]) => name);
  const gotOrder = without(got, rest).map(([name]) => name);
  if (wantOrder.join() !== gotOrder.join())
    found.push(`order of fields: expected ${wantOrder.join(', ')}; got ${gotOrder.join(', ')}`);
}

const without = (fields: Fields, left: Fields): Fields => fields.filter((field) => !left.includes(field));

function compareBodies(want: string, got: string, found: string[]): void {
  if (want === got) return;
  let place = 0;
  while (want[place] === got[place]) place++;
  const around = (text: string): string => show(text.slice(Math.max(0, place - 30), place + 50));
  found.push(`body (${got.length} characters, expected ${want.length}) from character ${place}:`);
  found.push(`  expected …${around(want)}`, `  got      …${around(got)}`);
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
