import { gunzipSync } from 'node:zlib';
import type { RawAnswer, RawClient } from '../../support/raw-http.js';
import type { Seeded } from '../../support/seeded.js';
import type { Ledger } from '../clients.js';

/** A pending request, and the expected content of its answer. */
export interface Asked {
  readonly id: string;
  readonly bytes: string | Buffer;
  readonly status?: number;
  /** @returns the error in a complete, decompressed body; undefined if it is right */
  readonly wrong: (body: string) => string | undefined;
}

export interface Soaked {
  readonly random: Seeded;
  readonly ledger: Ledger;
  /** Unique among all requests of the soak. */
  nextId(): string;
}

/** One person: cookies, and the expected contents of the two sessions. Lives longer than a connection. */
export class Visitor {
  private readonly cookies = new Map<string, string>();
  readonly views = { session: 0, cookies: 0 };

  constructor(
    readonly name: string,
    readonly soaked: Soaked,
  ) {}

  /** @returns a request of this visitor, with its cookies, and with the length of its body */
  request(line: string, fields: Readonly<Record<string, string>> = {}, body: string | Buffer = ''): Buffer {
    const octets = Buffer.from(body);
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const lines = [`${line} HTTP/1.1`, 'Host: soak', ...Object.entries(fields).map((field) => field.join(': '))];
    if (cookie !== '') lines.push(`Cookie: ${cookie}`);
    if (octets.length > 0) lines.push(`Content-Length: ${octets.length}`);
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), octets]);
  }

  /** Sends requests at once, counts them, and checks each answer. */
  async ask(client: RawClient, ...asked: readonly Asked[]): Promise<void> {
    this.soaked.ledger.sent += asked.length;
    await client.send(Buffer.concat(asked.map(({ bytes }) => Buffer.from(bytes))));
    await this.hear(client, asked);
  }

  async hear(client: RawClient, asked: readonly Asked[]): Promise<void> {
    for (const each of asked) {
      this.check(await client.answer(), each);
      this.soaked.ledger.answered++;
    }
  }

  /** Notes lost and mixed-up answers; keeps the cookies. */
  check(answer: RawAnswer, { id, status = 200, wrong }: Asked): void {
    const field = (wanted: string): string | undefined =>
      answer.fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
    const body = field('content-encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body;
    const problem =
      answer.status !== status ? `status ${answer.status}: ${body.toString().slice(0, 100)}` : wrong(body.toString());
    const whose = field('x-id');
    if (whose !== id) this.soaked.ledger.faults.push(`asked ${id}, got the answer to ${whose}`);
    else if (problem !== undefined) this.soaked.ledger.faults.push(`${id} of ${this.name}: ${problem}`);
    for (const [name, value] of answer.fields) {
      if (name.toLowerCase() !== 'set-cookie') continue;
      const [pair] = value.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}
