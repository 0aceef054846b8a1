import { once } from 'node:events';
import type https from 'node:https';
import type http from 'node:http';
import net = require('node:net');
import type { Duplex } from 'node:stream';
import tls = require('node:tls');
import type { RawAnswer } from '../../support/raw-answer.js';
import { bounded } from '../../support/bounded.js';
import { End } from '../../support/in-memory.js';
import { Client } from './client.js';
import { behavioursOf } from './handlers.js';
import { clientName, markOf, octetsOf, ownerOf, repeatedMark } from './marks.js';
import type { Seeded } from '../../support/seeded.js';
import type { World } from './world.js';

export interface Servers {
  readonly plain: http.Server;
  readonly secure: https.Server;
  /** Whether a connection goes on behind an error that a tick or a listener has thrown. */
  readonly survives: boolean;
}

/** With a hundred clients a turn takes as long as the turns of all others together. */
const PATIENCE_MS = 60_000;

const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port;

const KINDS = {
  // An error thrown through TLS in memory ends the process, under node too.
  throwing: ['plain', 'plain', 'secure'],
  nested: ['plain', 'plain', 'secure', 'memory', 'memory'],
} as const;

interface Opened {
  readonly stream: Duplex;
  /** The end below the TLS, of a connection in memory. */
  readonly below: End | undefined;
}

async function open(world: World, { plain, secure }: Servers, name: string): Promise<Opened> {
  const kind = world.random.pick(KINDS[world.kind]);
  if (kind === 'memory') {
    const [near, far] = End.pair();
    secure.emit('connection', far);
    const stream = tls.connect({ socket: near, rejectUnauthorized: false });
    await once(stream, 'secureConnect');
    return { stream, below: near };
  }
  const where = { port: portOf(kind === 'plain' ? plain : secure), host: '127.0.0.1', rejectUnauthorized: false };
  const stream = kind === 'plain' ? net.connect(where) : tls.connect(where);
  stream.setNoDelay(true);
  await once(stream, kind === 'plain' ? 'connect' : 'secureConnect');
  world.owners.set(`${stream.localPort} ${where.port}`, name);
  return { stream, below: undefined };
}

interface Asked {
  readonly mark: string;
  readonly behaviour: string;
  readonly method: string;
  readonly size: number;
  readonly octets: Buffer;
}

const SIZES = [0, 1, 3, 60, 700, 5000, 40_000, 70_000, 150_000];

function chunked(world: World, mark: string, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const to = Math.min(body.length, at + 1 + world.random.below(world.random.pick([10, 3000, 80_000])));
    const extension = world.random.chance(0.1) ? `;by=${mark}` : '';
    parts.push(Buffer.from(`${(to - at).toString(16)}${extension}\r\n`), body.subarray(at, to), Buffer.from('\r\n'));
    at = to;
  }
  parts.push(Buffer.from(world.random.chance(0.3) ? `0\r\nX-Trailer: ${mark}\r\n\r\n` : '0\r\n\r\n'));
  return Buffer.concat(parts);
}

interface Wish {
  readonly mark: string;
  readonly behaviour: string;
  /** First of its burst: node puts interim answers of a response that waits between its head and its body. */
  readonly isFirst: boolean;
  /** The fields are the same in each request of the connection. */
  readonly repeats: boolean;
}

function compose(world: World, wish: Wish): Asked {
  const { mark, behaviour } = wish;
  const { random } = world;
  const size = random.pick(SIZES);
  const method = wish.repeats ? 'POST' : random.pick(['GET', 'POST', 'PUT', 'HEAD']);
  const framing = method === 'GET' || method === 'HEAD' ? 'none' : random.pick(['length', 'chunked']);
  const length = framing === 'none' ? 0 : wish.repeats ? REPEATED_LENGTH : random.pick(SIZES);
  const body = octetsOf(mark, length);
  const lines = [`${method} /${mark}/${behaviour}/${size}?of=${mark} HTTP/1.1`, ...fieldsOf(random, wish)];
  lines.push(`X-Length: ${length}`);
  if (framing === 'length') lines.push(`Content-Length: ${length}`);
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked');
  if (wish.isFirst && framing !== 'none' && random.chance(0.1)) lines.push('Expect: 100-continue');
  const sent = framing === 'chunked' ? chunked(world, mark, body) : body;
  const octets = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), sent]);
  return { mark, behaviour, method, size, octets };
}

const REPEATED_LENGTH = 60;

function fieldsOf(random: Seeded, { mark, repeats }: Wish): string[] {
  const own = repeats ? repeatedMark(ownerOf(mark)) : mark;
  const lines = ['Host: a', `X-Mark: ${own}`, `Cookie: id=${own}`];
  if (!repeats && random.chance(0.3)) lines.push(`Accept-Language: ${own}`, 'Accept: */*', `User-Agent: ${own}`);
  // More lines than node's parser passes on at once.
  if (!repeats && random.chance(0.05)) for (let i = 0; i < 40; i++) lines.push(`X-Line-${i}: ${own}`);
  return lines;
}

function check(world: World, { mark, behaviour, method, size }: Asked, answer: RawAnswer): void {
  const { status, fields, body } = answer;
  const marks = fields.filter(([name]) => name === 'X-Mark').map(([, value]) => value);
  const wanted = method === 'HEAD' ? Buffer.alloc(0) : octetsOf(mark, size);
  world.answers++;
  if (status !== 200 || marks.join() !== mark || !body.equals(wanted))
    world.fault(`${mark} (${method} ${behaviour}) was answered ${status} for ${marks.join()}, ${body.length} octets`);
}

/** Behind these the connection is over, or node has lost its place there. */
const ENDING = ['aborted', 'throws'];
const FRAGILE = ['throwsInTick', 'throwsAtEnd'];

class Visitor {
  private number = 0;
  /** Whether the fields of this visit are the same in each request. */
  private repeats = false;
  private readonly behaviours: readonly string[];

  constructor(
    private readonly world: World,
    private readonly servers: Servers,
    private readonly name: string,
  ) {
    this.behaviours = behavioursOf(world);
  }

  private nextMark(): string {
    return markOf(this.name, this.number++);
  }

  /** One connection, from its start to its end. */
  async visit(): Promise<void> {
    const { world } = this;
    this.repeats = world.random.chance(0.3);
    const { stream, below } = await open(world, this.servers, this.name);
    const client = new Client(stream, this.name, world);
    try {
      let goesOn = true;
      for (let i = 1 + world.random.below(5); i > 0 && goesOn; i--) goesOn = await this.burst(client, below);
      if (!goesOn) return;
      const last = world.random.pick(['upgrade', 'leave', 'end', 'end']);
      if (last === 'upgrade') await this.upgrade(client);
      else if (last === 'leave') await this.leaveInTheMiddle(client);
    } finally {
      if (below !== undefined) world.held.delete(below);
      stream.destroy();
    }
  }

  /** Requests that are sent at once. @returns whether the connection goes on */
  private async burst(client: Client, below: End | undefined): Promise<boolean> {
    const { world } = this;
    const asked: Asked[] = [];
    for (let i = 1 + world.random.below(4); i > 0; i--) {
      const isFirst = asked.length === 0;
      const picked = world.random.pick(this.behaviours);
      const behaviour = picked === 'informed' && !isFirst ? 'data' : picked;
      asked.push(compose(world, { mark: this.nextMark(), behaviour, isFirst, repeats: this.repeats }));
      if (ENDING.includes(behaviour) || (FRAGILE.includes(behaviour) && !this.servers.survives)) break;
    }
    for (const { method } of asked) client.expect(method);
    const octets = Buffer.concat(asked.map((one) => one.octets));
    if (below !== undefined && world.kind === 'nested' && world.random.chance(0.7))
      await this.sendHeld(client, below, octets);
    else await client.send(octets, world.random.pick([0, 0, 1, 3, 8]));
    const { behaviour: last } = asked.at(-1)!;
    const ends = ENDING.includes(last) || (FRAGILE.includes(last) && !this.servers.survives);
    for (const one of asked) {
      if (one.behaviour === 'aborted') continue;
      const answer = await client.answer();
      if (answer !== undefined) check(world, one, answer);
      else if (!ends) world.fault(`${one.mark} (${one.behaviour}) was not answered`);
      else return false;
    }
    return !ends;
  }

  /** The octets are read when a handler of another connection says so, or after some turns. */
  private async sendHeld(client: Client, below: End, octets: Buffer): Promise<void> {
    below.hold();
    client.write(octets);
    await new Promise((resolve) => setImmediate(resolve));
    this.world.held.add(below);
    for (let i = 0; i < 20 && this.world.held.has(below); i++) await new Promise((resolve) => setImmediate(resolve));
    if (this.world.held.delete(below)) below.release();
  }

  private async upgrade(client: Client): Promise<void> {
    const mark = this.nextMark();
    const head = `GET /${mark}/upgrade/0?of=${mark} HTTP/1.1\r\nHost: a\r\nX-Mark: ${mark}\r\nCookie: id=${mark}\r\n`;
    client.expect('GET');
    await client.send(Buffer.from(`${head}Upgrade: echo\r\nConnection: upgrade\r\n\r\n${mark}.${mark}`), 1);
    if ((await client.answer())?.status !== 101) this.world.fault(`${mark} was not upgraded`);
    client.write(octetsOf(mark, 5000));
  }

  private async leaveInTheMiddle(client: Client): Promise<void> {
    const { octets } = compose(this.world, { mark: this.nextMark(), behaviour: 'data', isFirst: true, repeats: false });
    await client.send(octets.subarray(0, this.world.random.below(octets.length)), 1);
  }
}

/** Acts as one client until `over()`. */
export async function live(world: World, servers: Servers, index: number, over: () => boolean): Promise<void> {
  const visitor = new Visitor(world, servers, clientName(index));
  while (!over() && world.faults.length === 0) {
    await bounded(visitor.visit(), () => `a visit of ${clientName(index)}`, PATIENCE_MS).catch((error: Error) =>
      world.fault(error.message),
    );
  }
}
