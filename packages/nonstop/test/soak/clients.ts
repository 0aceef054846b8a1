import { once } from 'node:events';
import type { RawAnswer } from '../support/raw-http.js';
import { RawClient, type Target } from '../support/raw-http.js';
import type { Seeded } from '../support/seeded.js';
import { bigBody, sha1 } from './service.js';

/** The counters of the clients of one soak. */
export interface Ledger {
  sent: number;
  answered: number;
  /** Requests whose connection the client itself broke. */
  abandoned: number;
  readonly faults: string[];
}

export interface Caller {
  readonly target: Target;
  readonly random: Seeded;
  readonly ledger: Ledger;
  /** Unique among all requests of the soak. */
  nextId(): string;
}

/** One turn of a client. `client` stays open for the next turn unless the behaviour has closed it. */
export type Behaviour = (client: RawClient, caller: Caller) => Promise<'alive' | 'ended'>;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: soak\r\n\r\n`;

async function expectAnswer(client: RawClient, caller: Caller, want: { id: string; body: string }): Promise<void> {
  const answer: RawAnswer = await client.answer();
  const id = answer.fields.find(([name]) => name === 'X-Id')?.[1];
  if (answer.status !== 200 || id !== want.id || answer.body.toString('latin1') !== want.body) {
    caller.ledger.faults.push(`asked ${want.id}, got ${answer.status} for ${id} with ${answer.body.length} bytes`);
  }
  caller.ledger.answered++;
}

const bodyFor = (id: string, random: Seeded): string => `${id}:`.repeat(1 + random.below(400));

const single: Behaviour = async (client, caller) => {
  const id = caller.nextId();
  caller.ledger.sent++;
  await client.send(get(`/${caller.random.pick(['echo', 'slow'])}/${id}`));
  await expectAnswer(client, caller, { id, body: sha1('') });
  return 'alive';
};

const burst: Behaviour = async (client, caller) => {
  const ids = Array.from({ length: 2 + caller.random.below(14) }, () => caller.nextId());
  const requests = ids.map((id, i) => {
    const body = bodyFor(id, caller.random);
    if (i % 3 === 0) return { id, text: get(`/slow/${id}`), hash: sha1('') };
    return {
      id,
      text: `POST /echo/${id} HTTP/1.1\r\nHost: soak\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      hash: sha1(body),
    };
  });
  caller.ledger.sent += ids.length;
  await client.send(requests.map(({ text }) => text).join(''));
  for (const { id, hash } of requests) await expectAnswer(client, caller, { id, body: hash });
  return 'alive';
};

const chunkedUpload: Behaviour = async (client, caller) => {
  const id = caller.nextId();
  const parts = Array.from({ length: 1 + caller.random.below(8) }, () => bodyFor(id, caller.random));
  caller.ledger.sent++;
  await client.send(`PUT /echo/${id} HTTP/1.1\r\nHost: soak\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (const part of parts) await client.send(`${part.length.toString(16)}\r\n${part}\r\n`);
  await client.send('0\r\n\r\n');
  await expectAnswer(client, caller, { id, body: sha1(parts.join('')) });
  return 'alive';
};

const slowReader: Behaviour = async (client, caller) => {
  const ids = [caller.nextId(), caller.nextId(), caller.nextId()];
  caller.ledger.sent += ids.length;
  client.socket.pause();
  await client.send(ids.map((id) => get(`/big/${id}`)).join(''));
  for (let i = caller.random.below(20); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
  client.socket.resume();
  for (const id of ids) await expectAnswer(client, caller, { id, body: bigBody(id) });
  return 'alive';
};

const abort: Behaviour = async (client, caller) => {
  const id = caller.nextId();
  caller.ledger.sent++;
  caller.ledger.abandoned++;
  const request = caller.random.pick([
    get(`/slow/${id}`),
    get(`/big/${id}`),
    `POST /echo/${id} HTTP/1.1\r\nHost: soak\r\nContent-Length: 1000\r\n\r\npart`,
    `POST /echo/${id} HTTP/1.1\r\nHost: soak\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`,
    `GET /echo/${id} HTT`,
  ]);
  await client.send(request);
  client.drop(caller.random.chance(0.5));
  return 'ended';
};

const halfClose: Behaviour = async (client, caller) => {
  const id = caller.nextId();
  caller.ledger.sent++;
  await client.send(get(`/echo/${id}`));
  client.finish();
  await expectAnswer(client, caller, { id, body: sha1('') });
  await client.untilClose();
  return 'ended';
};

const polite: Behaviour = async (client, caller) => {
  const id = caller.nextId();
  caller.ledger.sent++;
  await client.send(`GET /echo/${id} HTTP/1.1\r\nHost: soak\r\nConnection: close\r\n\r\n`);
  await expectAnswer(client, caller, { id, body: sha1('') });
  await client.untilClose();
  return 'ended';
};

/** Weighted by repetition: a connection lives for about a dozen requests. */
const BEHAVIOURS: readonly Behaviour[] = [
  ...Array.from({ length: 8 }, () => single),
  ...Array.from({ length: 6 }, () => burst),
  ...Array.from({ length: 4 }, () => chunkedUpload),
  slowReader,
  abort,
  halfClose,
  polite,
];

/** With hundreds of clients in one process a turn takes as long as the turns of all others together. */
const PATIENCE_MS = 120_000;

/** Acts as one client after another until `over()`. Faults go to the ledger; nothing is thrown. */
export async function live(caller: Caller, over: () => boolean): Promise<void> {
  while (!over()) {
    const client = await RawClient.open(caller.target, { patience: PATIENCE_MS });
    try {
      let state: 'alive' | 'ended' = 'alive';
      while (state === 'alive' && !over()) state = await caller.random.pick(BEHAVIOURS)(client, caller);
    } catch (error) {
      caller.ledger.faults.push((error as Error).message.slice(0, 300));
    } finally {
      const closed = client.socket.closed ? undefined : once(client.socket, 'close');
      client.drop();
      await closed;
    }
  }
}
