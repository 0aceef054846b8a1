import type { RawClient } from '../../support/raw-http.js';
import { bigText, sha1 } from './texts.js';
import type { Asked, Visitor } from './visitor.js';

/** One turn of a visitor. The connection stays open for the next turn unless the turn has closed it. */
type Behaviour = (client: RawClient, visitor: Visitor) => Promise<'alive' | 'ended' | 'left'>;

const GZIP = { 'Accept-Encoding': 'gzip' };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The expected JSON body. */
const isJson =
  (want: object): Asked['wrong'] =>
  (body) =>
    body === JSON.stringify(want) ? undefined : `expected ${JSON.stringify(want)}, got ${body.slice(0, 200)}`;

const isText =
  (id: string): Asked['wrong'] =>
  (body) =>
    body === bigText(id) ? undefined : `${body.length} characters of another text: ${body.slice(0, 40)}`;

function download(visitor: Visitor): Asked {
  const id = visitor.soaked.nextId();
  const path = visitor.soaked.random.pick(['/text/', '/parts/', '/proxy/big/']);
  const fields = visitor.soaked.random.chance(0.5) ? GZIP : {};
  return { id, bytes: visitor.request(`GET ${path}${id}`, fields), wrong: isText(id) };
}

function whoAmI(visitor: Visitor): Asked {
  const id = visitor.soaked.nextId();
  const kind = visitor.soaked.random.pick(['session', 'cookies'] as const);
  const views = visitor.views[kind];
  const want = views === 0 ? { id, views } : { id, views, visitor: visitor.name };
  return { id, bytes: visitor.request(`GET /${kind}/who/${id}`), wrong: isJson(want) };
}

const countIn =
  (kind: 'session' | 'cookies'): Behaviour =>
  async (client, visitor) => {
    const id = visitor.soaked.nextId();
    const views = ++visitor.views[kind];
    const bytes = visitor.request(`GET /${kind}/count/${id}?visitor=${visitor.name}`);
    await visitor.ask(client, { id, bytes, wrong: isJson({ id, views, visitor: visitor.name }) });
    return 'alive';
  };

const pipelined: Behaviour = async (client, visitor) => {
  const { random } = visitor.soaked;
  const some = Array.from({ length: 2 + random.below(7) }, () => random.pick([download, whoAmI])(visitor));
  await visitor.ask(client, ...some);
  return 'alive';
};

const slowReader: Behaviour = async (client, visitor) => {
  const some = [download(visitor), download(visitor), download(visitor)];
  visitor.soaked.ledger.sent += some.length;
  client.socket.pause();
  await client.send(Buffer.concat(some.map(({ bytes }) => Buffer.from(bytes))));
  for (let i = visitor.soaked.random.below(20); i > 0; i--) await turn();
  client.socket.resume();
  await visitor.hear(client, some);
  return 'alive';
};

/** Sends octets in pieces, with turns of the loop between them. */
async function sendSlowly(client: RawClient, visitor: Visitor, octets: Buffer): Promise<void> {
  const { random } = visitor.soaked;
  for (let at = 0; at < octets.length;) {
    const size = 1 + random.below(octets.length / 3);
    await client.send(octets.subarray(at, at + size));
    at += size;
    for (let i = random.below(4); i > 0; i--) await turn();
  }
}

function form(visitor: Visitor): Asked {
  const { random } = visitor.soaked;
  const id = visitor.soaked.nextId();
  const files = Array.from({ length: 1 + random.below(3) }, (_, i) => [
    `file${i}`,
    `${id}${i};`.repeat(random.below(9_000)),
  ]);
  const part = (disposition: string, content: string): string =>
    `--cut-here\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const body = [
    part('name="visitor"', visitor.name),
    ...files.map(([name, content]) => part(`name="${name}"; filename="${name}.txt"`, content)),
    '--cut-here--\r\n',
  ].join('');
  const type = { 'Content-Type': 'multipart/form-data; boundary=cut-here' };
  const hashes = files.map(([name, content]) => [name, sha1(content)]);
  return {
    id,
    bytes: visitor.request(`POST /form/${id}`, type, body),
    wrong: isJson({ id, fields: { visitor: visitor.name }, hashes }),
  };
}

function json(visitor: Visitor): Asked {
  const id = visitor.soaked.nextId();
  const body = JSON.stringify({
    id,
    items: Array.from({ length: visitor.soaked.random.below(400) }, (_, i) => `${id}-${i}`),
  });
  const bytes = visitor.request(`POST /json/${id}`, { 'Content-Type': 'application/json' }, body);
  return { id, bytes, wrong: isJson({ id, hash: sha1(body) }) };
}

/** More than the parser's limit: the answer is an error, and the connection continues after the body. */
function tooLong(visitor: Visitor): Asked {
  const id = visitor.soaked.nextId();
  const bytes = visitor.request(`POST /json/${id}`, { 'Content-Type': 'application/json' }, `"${'x'.repeat(70_000)}"`);
  return { id, bytes, status: 413, wrong: isJson({ error: 'request entity too large' }) };
}

function proxied(visitor: Visitor): Asked {
  const id = visitor.soaked.nextId();
  const body = `${id}/`.repeat(1 + visitor.soaked.random.below(4_000));
  const bytes = visitor.request(`POST /proxy/echo/${id}`, { 'Content-Type': 'text/plain' }, body);
  return { id, bytes, wrong: isJson({ id, hash: sha1(body) }) };
}

const upload: Behaviour = async (client, visitor) => {
  const one = visitor.soaked.random.pick([form, form, json, proxied, tooLong])(visitor);
  if (visitor.soaked.random.chance(0.5)) {
    await visitor.ask(client, one);
    return 'alive';
  }
  visitor.soaked.ledger.sent++;
  await sendSlowly(client, visitor, Buffer.from(one.bytes));
  await visitor.hear(client, [one]);
  return 'alive';
};

/** Counted as sent and as given up. */
function giveUp(visitor: Visitor): void {
  visitor.soaked.ledger.sent++;
  visitor.soaked.ledger.abandoned++;
}

const brokenUpload: Behaviour = async (client, visitor) => {
  const { random } = visitor.soaked;
  const octets = Buffer.from(random.pick([form, json, proxied])(visitor).bytes);
  giveUp(visitor);
  await client.send(octets.subarray(0, Math.max(octets.length - 1 - random.below(octets.length / 2), 1)));
  for (let i = random.below(6); i > 0; i--) await turn();
  client.drop(random.chance(0.5));
  return 'ended';
};

const brokenDownload: Behaviour = async (client, visitor) => {
  const { random } = visitor.soaked;
  const { bytes } = download(visitor);
  giveUp(visitor);
  await client.send(bytes);
  if (random.chance(0.5)) await client.untilReceived('\r\n\r\n');
  client.drop(random.chance(0.5));
  return 'ended';
};

/** FIN after the request: node:http drops unfinished answers. Octets that do arrive must be right, up to where they are cut off. */
const halfClose: Behaviour = async (client, visitor) => {
  const one = visitor.soaked.random.pick([download, whoAmI, json])(visitor);
  giveUp(visitor);
  const before = client.received.length;
  await client.send(one.bytes);
  client.finish();
  await client.untilClose();
  const text = client.received.subarray(before).toString('latin1');
  const whose = /\r\nX-Id: ([^\r]*)/i.exec(text)?.[1] ?? one.id;
  if (whose !== one.id)
    visitor.soaked.ledger.faults.push(`asked ${one.id} and half-closed, got the answer to ${whose}`);
  return 'ended';
};

const polite: Behaviour = async (client, visitor) => {
  const id = visitor.soaked.nextId();
  const bytes = visitor.request(`GET /text/${id}`, { Connection: 'close' });
  await visitor.ask(client, { id, bytes, wrong: isText(id) });
  await client.untilClose();
  return 'ended';
};

/** The session is destroyed; the next turn starts a new one. */
const leave: Behaviour = async (client, visitor) => {
  const id = visitor.soaked.nextId();
  if (visitor.views.session === 0) return 'left';
  await visitor.ask(client, { id, bytes: visitor.request(`GET /session/leave/${id}`), wrong: isJson({ id }) });
  return 'left';
};

const often = (behaviour: Behaviour, times: number): Behaviour[] => Array.from({ length: times }, () => behaviour);

/** Weighted by repetition: a connection lives for about a dozen turns, a visitor for several connections. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...often(countIn('session'), 6),
  ...often(countIn('cookies'), 6),
  ...often(pipelined, 4),
  ...often(upload, 8),
  slowReader,
  brokenUpload,
  brokenDownload,
  halfClose,
  polite,
  leave,
];
