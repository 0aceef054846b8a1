/** The head of an answer, in its original spelling. */
export interface RawHead {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  /** Fields in wire order, with names and values as sent (values without surrounding blanks). */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A complete answer. `raw` are its bytes (without the 1xx heads); `ended` says what framed the body. */
export interface RawAnswer extends RawHead {
  readonly informational: readonly RawHead[];
  readonly body: Buffer;
  readonly trailers: readonly (readonly [name: string, value: string])[];
  readonly framing: 'none' | 'length' | 'chunked' | 'close';
  readonly raw: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const NEWLINE = Buffer.from('\r\n');

interface Framed {
  readonly framing: RawAnswer['framing'];
  readonly body: Buffer;
  readonly trailers: RawAnswer['trailers'];
  readonly end: number;
}

/**
 * Cuts a byte stream into answers by the framing rules of RFC 9112 §6.3, as a client does.
 * It parses the unfinished answer again at every push: that is simple, and answers in tests are small.
 */
export class AnswerReader {
  /** The methods of the unanswered requests; if empty, GET is assumed. */
  readonly methods: string[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private informational: RawHead[] = [];

  /** The received octets that are not yet part of a complete answer. */
  get unread(): Buffer {
    return this.rest;
  }

  /** @returns the answers that these bytes complete @throws for bytes that are not an HTTP answer */
  push(chunk: Buffer): RawAnswer[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const answers: RawAnswer[] = [];
    for (let answer = this.next(false); answer !== undefined; answer = this.next(false)) answers.push(answer);
    return answers;
  }

  /** @returns the answer whose body ended with the connection, if there is one */
  finish(): RawAnswer | undefined {
    try {
      return this.next(true);
    } catch {
      return undefined;
    }
  }

  private next(atEnd: boolean): RawAnswer | undefined {
    for (;;) {
      const headEnd = this.rest.indexOf(HEAD_END);
      if (headEnd === -1) return undefined;
      const head = parseHead(this.rest.toString('latin1', 0, headEnd));
      const bodyStart = headEnd + HEAD_END.length;
      if (head.status < 200 && head.status !== 101) {
        this.informational.push(head);
        this.rest = this.rest.subarray(bodyStart);
        continue;
      }
      const framed = frame(head, this.methods[0] ?? 'GET', { bytes: this.rest, start: bodyStart, atEnd });
      if (framed === undefined) return undefined;
      this.methods.shift();
      const { framing, body, trailers, end } = framed;
      const answer = {
        ...head,
        informational: this.informational,
        body,
        trailers,
        framing,
        raw: this.rest.subarray(0, end),
      };
      this.informational = [];
      this.rest = this.rest.subarray(end);
      return answer;
    }
  }
}

/** @param names lower case @returns the values of a field, in order */
export function fieldValues(head: RawHead, name: string): string[] {
  return head.fields.filter(([n]) => n.toLowerCase() === name).map(([, value]) => value);
}

function parseHead(text: string): RawHead {
  const [first, ...lines] = text.split('\r\n');
  const match = /^HTTP\/(\d\.\d) (\d{3}) ?(.*)$/s.exec(first);
  if (match === null) throw new Error(`not a status line: ${JSON.stringify(first)}`);
  return { version: match[1], status: Number(match[2]), reason: match[3], fields: parseFields(lines) };
}

function parseFields(lines: readonly string[]): [string, string][] {
  return lines.map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`not a field line: ${JSON.stringify(line)}`);
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

interface Received {
  readonly bytes: Buffer;
  readonly start: number;
  readonly atEnd: boolean;
}

function frame(head: RawHead, method: string, received: Received): Framed | undefined {
  const { bytes, start, atEnd } = received;
  const none = { framing: 'none', body: Buffer.alloc(0), trailers: [], end: start } as const;
  if (method === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101) return none;
  if (method === 'CONNECT' && head.status < 300) return none;
  if (fieldValues(head, 'transfer-encoding').join(',').toLowerCase().endsWith('chunked')) return chunked(bytes, start);
  const lengths = fieldValues(head, 'content-length');
  if (lengths.length > 0) {
    // RFC 9110 §8.6: only digits. `Number` would accept more, and return NaN for the rest.
    if (!/^\d+$/.test(lengths[0])) throw new Error(`not a length: ${JSON.stringify(lengths[0])}`);
    const end = start + Number(lengths[0]);
    if (bytes.length < end) return undefined;
    return { framing: 'length', body: bytes.subarray(start, end), trailers: [], end };
  }
  if (!atEnd) return undefined;
  return { framing: 'close', body: bytes.subarray(start), trailers: [], end: bytes.length };
}

function chunked(bytes: Buffer, start: number): Framed | undefined {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf(NEWLINE, at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('not a chunk size');
    at = lineEnd + NEWLINE.length;
    if (size === 0) break;
    if (bytes.length < at + size + NEWLINE.length) return undefined;
    parts.push(bytes.subarray(at, at + size));
    at += size + NEWLINE.length;
  }
  const lines: string[] = [];
  for (;;) {
    const lineEnd = bytes.indexOf(NEWLINE, at);
    if (lineEnd === -1) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    at = lineEnd + NEWLINE.length;
    if (line === '') break;
    lines.push(line);
  }
  return { framing: 'chunked', body: Buffer.concat(parts), trailers: parseFields(lines), end: at };
}
