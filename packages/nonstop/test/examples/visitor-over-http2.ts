import assert from 'node:assert/strict';
import type http2 from 'node:http2';
import { askOf } from '../parity/over-http2.js';
import { ask, type Http2Ask } from '../support/http2-client.js';
import type { RawAnswer } from '../support/raw-http.js';
import type { TrackerProcess } from './tracker-process.js';
import { bodyLines, maskTimes } from './transcript.js';
import { Visitor, type Ask } from './visitor.js';

/** Fields that HTTP/2 has none of, and the date. A Content-Length of 204 is left out too (docs/compat). */
const LEFT_OUT = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** A visitor that records answers as far as both versions of HTTP have them. */
export class ComparableVisitor extends Visitor {
  override readonly sendsOctets = false;

  override recordAnswer(name: string, answer: RawAnswer): void {
    this.remember(answer);
    const { status, fields, body } = answer;
    const isKept = (field: string): boolean => !LEFT_OUT.has(field) && !(status === 204 && field === 'content-length');
    const kept = fields.filter(([field]) => isKept(field.toLowerCase()));
    const lines = kept.map(([field, value]) =>
      field.toLowerCase() === 'set-cookie' ? maskTimes(`Set-Cookie: ${value}`) : `${field.toLowerCase()}: ${value}`,
    );
    this.record(name, [String(status), ...lines, '', ...bodyLines(body)]);
  }
}

/** The same over HTTP/2, with each request on a stream of one session. */
export class VisitorOverHttp2 extends ComparableVisitor {
  constructor(
    tracker: TrackerProcess,
    private readonly session: http2.ClientHttp2Session,
  ) {
    super(tracker);
  }

  override async ask(name: string, status: number, request: Ask): Promise<RawAnswer> {
    const asked = this.over2(request);
    assert.ok(asked !== undefined, `${name} cannot be sent over HTTP/2`);
    const { whole, body, trailers, ...head } = await ask(this.session, asked);
    assert.ok(whole, `${name} has no whole answer`);
    const common = { version: '2.0', reason: '' };
    const informational = head.informational.map((each) => ({ ...common, ...each }));
    const { status: got, fields } = head;
    const answer: RawAnswer = {
      ...common,
      status: got,
      fields,
      body,
      trailers,
      informational,
      framing: 'none',
      raw: body,
    };
    this.recordAnswer(name, answer);
    assert.equal(got, status, name);
    return answer;
  }

  /** A body in chunks is one without a length. */
  private over2(request: Ask): Http2Ask | undefined {
    const { 'Transfer-Encoding': chunked, ...fields } = request.fields ?? {};
    if (chunked === undefined) return askOf(this.bytesOf(request));
    const asked = askOf(this.bytesOf({ ...request, fields, body: undefined }));
    return asked && { ...asked, body: withoutChunks(String(request.body)) };
  }
}

function withoutChunks(text: string): string {
  const [, size, rest] = /^([0-9a-f]+)\r\n([^]*)$/i.exec(text) ?? [];
  const length = Number.parseInt(size, 16);
  return length > 0 ? rest.slice(0, length) + withoutChunks(rest.slice(length + 2)) : '';
}
