import { deflateSync, gunzipSync } from 'node:zlib';
import { fieldValues } from '../support/raw-answer.js';
import { linesOfWire } from './transcript.js';
import type { Ask, Visitor } from './visitor.js';

const issues = '/api/issues';
/** The tracker assigns predictable ids in this visit, so its first token is known. */
const authorized = { Authorization: 'Bearer token-1-1' };
const json = { ...authorized, 'Content-Type': 'application/json' };
const preflight = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PATCH' };
const large = JSON.stringify({ title: 'Large', body: 'x'.repeat(120_000) });

/** The end of the visit's last event on the wire, including its chunk. */
const lastEvent = 'Seen live, closed","by":"Turing"}\n\n\r\n';

type Row = readonly [name: string, status: number, request: Ask];
const post = (body: string | Buffer, fields: Readonly<Record<string, string>> = json): Ask => ({
  method: 'POST',
  path: issues,
  fields,
  body,
});

const requests: readonly Row[] = [
  ['API: the first page', 200, { path: issues }],
  ['API: a page between', 200, { path: `${issues}?state=open&per_page=10&page=2` }],
  ['API: the last page in gzip', 200, { path: `${issues}?page=3`, fields: { 'Accept-Encoding': 'gzip' } }],
  ['API: HEAD', 200, { method: 'HEAD', path: issues }],
  ['API: too many on a page', 400, { path: `${issues}?per_page=101` }],
  ['API: a state that does not exist', 400, { path: `${issues}?state=lost` }],
  ['API: from another site', 200, { path: `${issues}/7`, fields: { Origin: 'https://elsewhere.example' } }],
  ['API: preflight', 204, { method: 'OPTIONS', path: `${issues}/7`, fields: preflight }],
  [
    'API: preflight for a field',
    204,
    { method: 'OPTIONS', path: issues, fields: { ...preflight, 'Access-Control-Request-Headers': 'authorization' } },
  ],
  ['API: OPTIONS without more', 204, { method: 'OPTIONS', path: issues }],
  ['API: writing without a token', 401, post('{"title":"Nobody"}', { 'Content-Type': 'application/json' })],
  ['API: writing with a wrong token', 401, post('{"title":"Nobody"}', { ...json, Authorization: 'Bearer token-1-2' })],
  ['API: a new issue', 201, post('{"title":"Made by a program \u00FC","labels":["feature"]}')],
  ['API: malformed JSON', 400, post('{"title": oops}')],
  ['API: JSON that ends early', 400, post('{"title": "x"')],
  ['API: JSON that is no object', 400, post('"title"')],
  ['API: an array', 400, post('[1,2]')],
  ['API: an empty body', 422, post('')],
  ['API: a field of the wrong kind', 422, post('{"title":7,"labels":"none","body":[]}')],
  ['API: a body of another type', 400, post('title=x', { ...authorized, 'Content-Type': 'text/plain' })],
  ['API: a body that is too large', 413, post(large)],
  ['API: the request after it', 200, { path: `${issues}/7` }],
  [
    'API: a deflated body',
    201,
    post(deflateSync('{"title":"Deflated by a program"}'), { ...json, 'Content-Encoding': 'deflate' }),
  ],
  ['API: a body in an unknown encoding', 415, post('{}', { ...json, 'Content-Encoding': 'x' })],
  ['API: a body in an unknown charset', 415, post('{}', { ...json, 'Content-Type': 'application/json; charset=x' })],
  [
    'API: a body in UTF-16',
    201,
    post(Buffer.from('{"title":"Wide characters"}', 'utf16le'), {
      ...json,
      'Content-Type': 'application/json; charset=utf-16le',
    }),
  ],
  ['API: an issue', 200, { path: `${issues}/53` }],
  [
    'API: a change',
    200,
    { method: 'PATCH', path: `${issues}/53`, fields: json, body: '{"state":"closed","labels":[]}' },
  ],
  ['API: a bad change', 422, { method: 'PATCH', path: `${issues}/53`, fields: json, body: '{"state":"gone"}' }],
  ["API: deleting somebody else's", 403, { method: 'DELETE', path: `${issues}/7`, fields: authorized }],
  ['API: deleting', 204, { method: 'DELETE', path: `${issues}/54`, fields: authorized }],
  ['API: deleting again', 404, { method: 'DELETE', path: `${issues}/54`, fields: authorized }],
  ['API: a method that is not allowed', 405, { method: 'PUT', path: `${issues}/7`, fields: json, body: '{}' }],
  ['API: nothing here', 404, { path: '/api/nothing' }],
  ['API: a bad escape', 400, { path: `${issues}/%` }],
];

/** A program that uses the API, and one that listens to the events. */
export async function visitApi(visitor: Visitor): Promise<void> {
  for (const [name, status, request] of requests) await visitor.ask(name, status, { ...request, cookies: false });
  const issue = await visitor.ask('API: an issue, to be asked for again', 200, { path: `${issues}/7`, cookies: false });
  const tag = { 'If-None-Match': `"other", ${fieldValues(issue, 'etag')[0]}` };
  await visitor.ask('API: an issue that has not changed', 304, { path: `${issues}/7`, fields: tag, cookies: false });
  if (visitor.sendsOctets) await visitEvents(visitor);
}

async function visitEvents(visitor: Visitor): Promise<void> {
  const plain = await visitor.open();
  await plain.send(visitor.bytesOf({ path: '/events', fields: { Accept: 'text/event-stream' }, cookies: false }));
  await plain.untilReceived('retry: 3000');
  const packed = await visitor.open();
  await packed.send(visitor.bytesOf({ path: '/events', fields: { 'Accept-Encoding': 'gzip' }, cookies: false }));
  await packed.untilReceived('Content-Encoding: gzip');

  for (const state of ['open', 'closed']) {
    const change = {
      method: 'POST',
      path: issues,
      fields: json,
      body: JSON.stringify({ title: `Seen live, ${state}` }),
    };
    await visitor.ask(`API: an event, ${state}`, 201, { ...change, cookies: false });
  }
  await plain.untilReceived(lastEvent);
  visitor.record('two events', linesOfWire(plain.received));
  const [first = ''] = /(?<=^id: )\d+$/m.exec(plain.received.toString('latin1')) ?? [];
  plain.drop();

  const late = await visitor.open();
  await late.send(visitor.bytesOf({ path: '/events', fields: { 'Last-Event-ID': first }, cookies: false }));
  await late.untilReceived(lastEvent);
  visitor.record('the events that were missed', linesOfWire(late.received));
  late.drop(true);

  visitor.streamsAtShutdown.push({
    name: 'events in gzip, until the tracker stops',
    client: packed,
    decode: gunzipSync,
  });
  await visitor.ask('the request after the events', 200, { path: '/health' });
}
