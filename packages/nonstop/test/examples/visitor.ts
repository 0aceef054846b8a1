import assert from 'node:assert/strict';
import { fieldValues } from '../support/raw-answer.js';
import { RawClient, type RawAnswer } from '../support/raw-http.js';
import type { TrackerProcess } from './tracker-process.js';
import { linesOf, linesOfWire, type Moment } from './transcript.js';

/** A request as text; `Host`, the cookies and a `Content-Length` are added if needed. */
export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** False for a client without cookies, such as a user of the API. */
  readonly cookies?: boolean;
}

/** A stream that stays open until the tracker stops. */
export interface OpenStream {
  readonly name: string;
  readonly client: RawClient;
  readonly decode: (body: Buffer) => Buffer;
}

/** A visitor of the example: one keep-alive connection, a cookie jar, and a record of the answers. */
export class Visitor {
  readonly moments: Moment[] = [];
  readonly streamsAtShutdown: OpenStream[] = [];
  readonly tracker: TrackerProcess;
  /** False for one that sends whole requests alone. */
  readonly sendsOctets: boolean = true;
  private readonly jar = new Map<string, string>();
  private client: RawClient | undefined;

  constructor(tracker: TrackerProcess) {
    this.tracker = tracker;
  }

  /**
   * Sends a request on the kept connection and records the answer.
   *
   * @throws AssertionError if the status is not the expected one: otherwise both sides could be wrong in the same way
   */
  async ask(name: string, status: number, request: Ask): Promise<RawAnswer> {
    const client = await this.kept();
    client.expecting(request.method ?? 'GET');
    await client.send(this.bytesOf(request));
    const answer = await client.answer().catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`);
    });
    this.recordAnswer(name, answer);
    assert.equal(answer.status, status, `${name}\n${linesOf(answer).slice(0, 60).join('\n')}`);
    if (fieldValues(answer, 'connection').some((value) => value.toLowerCase() === 'close')) this.leave();
    return answer;
  }

  /** Sends bytes on a separate connection, and records everything until the server closes it. */
  async untilClose(name: string, bytes: string | Buffer): Promise<void> {
    const client = await this.open();
    await client.send(bytes);
    this.record(name, linesOfWire(await client.untilClose()));
    client.drop();
  }

  open(): Promise<RawClient> {
    return RawClient.open(this.tracker.surroundings.port);
  }

  /** Closes the connection; the next `ask` opens a new one. */
  leave(): void {
    this.client?.drop();
    this.client = undefined;
  }

  recordAnswer(name: string, answer: RawAnswer): void {
    this.remember(answer);
    this.record(name, linesOf(answer));
  }

  record(name: string, lines: readonly string[]): void {
    this.moments.push({ name, lines });
  }

  /** The request as bytes on the wire. */
  bytesOf({ method = 'GET', path, fields = {}, body, cookies = true }: Ask): Buffer {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: tracker.test'];
    if (cookies && this.jar.size > 0) head.push(`Cookie: ${[...this.jar].map((pair) => pair.join('=')).join('; ')}`);
    for (const [name, value] of Object.entries(fields)) head.push(`${name}: ${value}`);
    const content = body === undefined ? undefined : Buffer.from(body);
    if (content !== undefined && fields['Transfer-Encoding'] === undefined)
      head.push(`Content-Length: ${content.length}`);
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content ?? Buffer.alloc(0)]);
  }

  setCookie(name: string, value: string): void {
    this.jar.set(name, value);
  }

  cookie(name: string): string {
    return this.jar.get(name) ?? '';
  }

  /** Whether the connection of the last `ask` is still open: keep-alive is part of the record. */
  private async kept(): Promise<RawClient> {
    this.client ??= await this.open();
    return this.client;
  }

  protected remember(answer: RawAnswer): void {
    for (const cookie of fieldValues(answer, 'set-cookie')) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }
}

/** @returns a form in the encoding of browsers */
export function form(values: Readonly<Record<string, string>>): Pick<Ask, 'method' | 'fields' | 'body'> {
  return {
    method: 'POST',
    fields: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(values).toString(),
  };
}

export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly content: string | Buffer;
}

const BOUNDARY = '----TrackerVisitBoundary';

/** @returns a form with files in the encoding of browsers; if `ending` is false, without the closing boundary */
export function multipart(parts: readonly Part[], ending = true): Pick<Ask, 'method' | 'fields'> & { body: Buffer } {
  const pieces = parts.flatMap(({ name, filename, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
        (filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`) +
        '\r\n\r\n',
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  if (ending) pieces.push(Buffer.from(`--${BOUNDARY}--\r\n`));
  return {
    method: 'POST',
    fields: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Sec-Fetch-Site': 'same-origin' },
    body: Buffer.concat(pieces),
  };
}
