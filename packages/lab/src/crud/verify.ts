import { WrongAnswer } from '../measure.js';
import { Client, type ClientRequest, type TimedAnswer } from './client.js';
import { shapes } from './shapes.js';

/** A request and its expected answer; `:id` is the id of the last created record. */
interface Step extends ClientRequest {
  readonly status: number;
  /** The JSON of the answer; undefined if it has no body. An error needs some text. */
  readonly answer?: (id: string) => unknown;
}

const noRecord = '0'.repeat(24);
const anError = Symbol('an error');
const json = (value: unknown): string => JSON.stringify({ value });
const id = (made: string): unknown => ({ id: made });

/** The requests of a record of a shape, and requests that must be refused. */
function lifeOf(shape: string): Step[] {
  const value = shapes[shape].make();
  const smaller = shape === 'string' ? 'another' : shape === 'object' ? { name: 'another' } : [];
  const at = `/${shape}/:id`;
  const missing = { status: 404, answer: () => anError };
  return [
    { method: 'POST', path: `/${shape}`, body: json(value), status: 201, answer: id },
    { method: 'GET', path: at, status: 200, answer: (made) => ({ id: made, value }) },
    { method: 'PUT', path: at, body: json(smaller), status: 200, answer: id },
    { method: 'GET', path: at, status: 200, answer: (made) => ({ id: made, value: smaller }) },
    { method: 'PUT', path: at, body: json(7), status: 400, answer: () => anError },
    { method: 'DELETE', path: at, status: 204 },
    { method: 'GET', path: at, ...missing },
    { method: 'PUT', path: at, body: json(value), ...missing },
    { method: 'DELETE', path: at, ...missing },
  ];
}

const refused: readonly Step[] = [
  { method: 'GET', path: `/string/${noRecord}`, status: 404 },
  { method: 'GET', path: '/string/no-id', status: 404 },
  { method: 'POST', path: '/constructor', body: json('a'), status: 404 },
  { method: 'GET', path: `/triangle/${noRecord}`, status: 404 },
  { method: 'POST', path: '/string', body: '{"value":', status: 400 },
  { method: 'POST', path: '/string', body: json(['a']), status: 400 },
  { method: 'POST', path: '/array', body: json({ a: 'a' }), status: 400 },
  { method: 'POST', path: '/object', body: json({ $where: 'a' }), status: 400 },
  { method: 'POST', path: '/objects', body: json([{ a: 1 }]), status: 400 },
  { method: 'POST', path: '/object', body: '{}', status: 400 },
].map((step) => ({ ...step, answer: () => anError }));

const control: Step = { method: 'GET', path: '/control', status: 200, answer: () => ({ ok: true }) };

/**
 * Checks the answers of a contestant against the API and returns them; they must be equal for every contestant.
 *
 * @returns a line for each answer, with ids blanked
 * @throws {WrongAnswer} at the first wrong answer
 */
export async function transcript(contestant: string, client: Client): Promise<string[]> {
  const lines: string[] = [];
  let made = '';
  for (const step of [control, ...Object.keys(shapes).flatMap(lifeOf), ...refused]) {
    const path = step.path.replace(':id', made);
    const answer = await client.send({ ...step, path });
    if (answer.status === 201) made = idIn(answer.body);
    const wrong = problemOf(step, answer, made);
    if (wrong !== undefined)
      throw new WrongAnswer(`crud: wrong answer of ${contestant} to ${step.method} ${path}: ${wrong}`);
    const body = made === '' ? answer.body : answer.body.replaceAll(made, ':id');
    lines.push(`${step.method} ${step.path}: ${answer.status} ${media(answer)} ${body}`);
  }
  return lines;
}

/**
 * Checks all contestants against the API and against each other.
 *
 * @throws {WrongAnswer} in one line
 */
export async function verify(clients: ReadonlyMap<string, Client>): Promise<void> {
  let first: { readonly name: string; readonly lines: readonly string[] } | undefined;
  for (const [name, client] of clients) {
    const lines = await transcript(name, client).catch((error: Error) => {
      throw error instanceof WrongAnswer ? error : new WrongAnswer(`crud: ${name} does not answer: ${error.message}`);
    });
    first ??= { name, lines };
    const place = lines.findIndex((line, index) => line !== first?.lines[index]);
    if (place >= 0) {
      const shown = [lines[place], first.lines[place]].map((line) => line.slice(0, 200));
      throw new WrongAnswer(`crud: ${name} answers "${shown[0]}", ${first.name} "${shown[1]}"`);
    }
  }
}

const media = ({ type }: TimedAnswer): string => type.split(';')[0].trim().toLowerCase();

function problemOf({ status, answer: expected }: Step, answer: TimedAnswer, made: string): string | undefined {
  if (answer.status !== status) return `status ${answer.status} for ${status}, ${answer.body.slice(0, 200)}`;
  if (expected === undefined) return answer.body === '' ? undefined : 'a body where there is none';
  if (media(answer) !== 'application/json') return `media type '${answer.type}'`;
  const want = expected(made);
  if (want === anError) return /^\{"error":".+"\}$/.test(answer.body) ? undefined : `no error: ${answer.body}`;
  // Every contestant writes the attributes in their given order.
  return answer.body === JSON.stringify(want) ? undefined : `body ${answer.body.slice(0, 200)}`;
}

/** The id in the answer to a POST; empty when it has none. */
export function idIn(body: string): string {
  try {
    const { id: found } = JSON.parse(body) as { id?: unknown };
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}
