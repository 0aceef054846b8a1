import { Buffer } from 'node:buffer';
import { isNewRefusal, WireError } from '../core/errors.js';
import { LONGEST_FAST_HEAD, type HeadLimits } from './limits.js';
import { bufferOf, copyOf, isAllOfRead, joinOctets, latin1, octetsOf } from '../node/octets.js';
import type { BodyMemory } from './body-memory.js';
import { ChunkedDecoder } from './decode-chunked.js';
import { Fact } from './facts.js';
import { isPersistent } from './framing.js';
import { parseHead, type ParsedHead } from './parse-head.js';
import { HeadScanner } from './scan-head.js';

/** Receives what the parser found, in the order of the octets. */
export interface RequestSink {
  /**
   * A head is complete; its data is on the parser until this call returns. Returns true to stop parsing: the rest is not
   * HTTP.
   */
  onHead(parser: RequestParser): boolean;
  /** @param data a piece of a body; text, with a character for each octet, is a whole one */
  onBody(data: Buffer | string): void;
  /** The message is complete. `trailers` has alternating names and values. */
  onMessageEnd(trailers: string[]): void;
}

/**
 * What the parser reads next.
 *
 *     Head ─► Handling ─► Length or Chunked, if there is a body ─► Head
 *
 * `Closed` follows the last request of the connection instead of `Head`, and `Behind` follows a request for another protocol. The parser ends in
 * `Stopped`, when the sink has stopped it or after a fault, or in `Deaf`.
 */
const enum State {
  Head,
  /** As `Head`, after a request for another protocol that the sink did not take. */
  Behind,
  Closed,
  Stopped,
  // The parser is inside a message in these.
  /** The handler of a head runs. */
  Handling,
  Length,
  Chunked,
  /** After a fault that is not reported. */
  Deaf,
}

/** How much of a chunk is first decoded as text: heads are small, and megabytes of body may follow one. */
const HEAD_WINDOW = 4096;
const HEAD_END = Buffer.from('\r\n\r\n');
const NO_TRAILERS: string[] = [];
const NOTHING = Buffer.alloc(0);

/**
 * An HTTP/1.1 request parser without I/O: octets in, calls on a sink out. Accepts what llhttp's strict mode accepts. A
 * message may be split anywhere; a head that arrives whole takes the fast path of `parse-head`.
 */
export class RequestParser implements ParsedHead {
  method = '';
  target = '';
  major = 1;
  minor = 1;
  fieldLines = '';
  repeated = '';
  mark = -1;
  misses = 0;
  facts = 0;
  contentLength = -1;
  /** Alternating names and values if the scanner read the head; otherwise they are still in `fieldLines`. */
  fields: string[] | null = null;
  /** Whether another request may follow on the connection. */
  persistent = true;
  /** The request is CONNECT, or has Upgrade with `Connection: upgrade`. The sink decides what follows. */
  upgrade = false;
  /** The read has octets that may be of the next request: behind this message, or, until a chunked body is complete, behind its head. */
  nextMayFollow = false;
  /**
   * The read that is being parsed. All connections are read into the same memory, so its octets are lent: they are there until a handler runs, which may
   * cause the next read of any connection. Each call of the sink goes through {@link sinkAt}, which lets go of them, and what a program gets of them
   * through {@link piece}, which copies it if need be.
   */
  private octets: Buffer = NOTHING;
  /** `octets` is the memory of all connections, and not a copy or a buffer that the caller has given away. */
  private lent = false;
  private state: State = State.Head;
  private fault: WireError | null = null;
  /** What came behind the octets at which the sink stopped the parser, in its own memory; null for none. */
  private unread: Buffer | null = null;
  /** What came inside a handler, while octets before it were not read. */
  private late: Buffer[] | null = null;
  private scanner: HeadScanner | null = null;
  /** Octets of the body that have not come; 0 if its length is not known. */
  remaining = 0;
  private chunked: ChunkedDecoder | null = null;
  /** Set by the sink in the middle of a body: further pieces are copied there. */
  memory: BodyMemory | null = null;
  /** For {@link sinkAt} alone. */
  private readonly sink: RequestSink;
  private readonly limits: HeadLimits;

  /** @param limits the limits of a head */
  constructor(sink: RequestSink, limits: HeadLimits) {
    this.sink = sink;
    this.limits = limits;
  }

  /** Whether the parser is inside a message: its head has begun, or its body is not complete. */
  get isInMessage(): boolean {
    return this.state >= State.Handling || this.headBegun;
  }

  /** Whether a head has arrived in part. */
  private get headBegun(): boolean {
    return this.scanner !== null && !this.scanner.pristine;
  }

  /** Whether a head that has arrived in part, or was refused, has {@link MANY_LINES}. */
  get isHeadLong(): boolean {
    return this.scanner !== null && this.scanner.isLong;
  }

  /**
   * Parses a chunk of the stream.
   *
   * A handler can cause the next read inside this call: an empty write to a TLS socket decrypts further records. What that brings waits for the octets
   * before it, and for the end of the handler of a head: otherwise a body could be read as a request.
   *
   * @param lent the caller may reuse `chunk` as soon as this returns or a handler runs
   * @throws {WireError} if the stream is not HTTP; every later call throws the same error, as in llhttp
   */
  feed(chunk: Buffer, lent = false): void {
    if (this.octets.length !== 0 || this.state === State.Handling || this.late !== null) {
      (this.late ??= []).push(copyOf(chunk, 0, chunk.length));
      return;
    }
    this.parse(chunk, lent);
    while (this.late !== null) {
      const next = Buffer.concat(this.late);
      this.late = null;
      this.parse(next, false);
    }
  }

  private parse(chunk: Buffer, lent: boolean): void {
    const { fault } = this;
    // A handler may transfer the memory of the read, if a piece of a body was all of it.
    const { length } = chunk;
    let at = 0;
    this.octets = chunk;
    this.lent = lent;
    try {
      // Without octets after a handler that was called behind the last of them.
      while (at < this.octets.length) {
        const state = this.state;
        if (state === State.Head) at = this.head(at);
        else if (state === State.Length) at = this.lengthBody(at);
        else if (state === State.Chunked) at = this.chunkedBody(at);
        else if (state === State.Closed) at = this.afterClose(at);
        else if (state === State.Behind) at = this.behind(at);
        else if (state === State.Deaf) at = length;
        else if (fault !== null) throw new WireError(fault.code, fault.reason, fault.bytesParsed);
        else break;
      }
      if (at !== length) this.unread = joinOctets(this.unread, this.piece(at, length));
    } catch (error) {
      this.late = null;
      if (this.isHushed(error)) {
        this.state = State.Deaf;
        this.scanner = null;
        return;
      }
      this.state = State.Stopped;
      if (isNewRefusal(error)) {
        error.rawPacket = this.piece(0, this.octets.length);
        this.fault = error;
      } else {
        // A handler threw in the middle of a message. Parsing on would read its body as the next request.
        this.fault = new WireError('HPE_CB_HEADERS_COMPLETE', 'User callback error');
      }
      throw error;
    } finally {
      this.octets = NOTHING;
    }
  }

  /** Runs the ticks that come in front of a piece, for a sink that has been given the piece: octets that they bring are parsed behind it. */
  holdBack(ticks: () => void): void {
    this.late ??= [];
    ticks();
    if (this.late?.length === 0) this.late = null;
  }

  /** Whether parsing has ended: the stream was refused, or is no longer HTTP. */
  get stopped(): boolean {
    return this.state === State.Stopped;
  }

  /** What came since the sink stopped the parser, for a program: each connection has a Buffer of its own. */
  takeUnread(): Buffer {
    const { unread } = this;
    this.unread = null;
    return unread ?? Buffer.alloc(0);
  }

  /** Whether the last error of {@link feed} is that of the octets. */
  isRefused(error: unknown): boolean {
    return this.fault === error;
  }

  /** Stops parsing: the rest is not HTTP. Called by the sink when a message is complete. */
  stop(): void {
    this.state = State.Stopped;
  }

  /** Whether the head announces a body, and the method may have one (RFC 9110 §9.3.6: not CONNECT). */
  get announcesBody(): boolean {
    return this.method !== 'CONNECT' && ((this.facts & Fact.Chunked) !== 0 || this.contentLength > 0);
  }

  /**
   * As under node, no fault is reported between the head of a request for another protocol and the next head, whether the sink took that
   * request or not: what has come may be of that protocol. An answer that is still due is sent.
   */
  private isHushed(error: unknown): boolean {
    return this.upgrade && isNewRefusal(error);
  }

  /** Called when the peer ended the stream. @throws {WireError} in the middle of a message */
  finish(): void {
    if (this.stopped || !this.isInMessage || this.upgrade) return;
    this.state = State.Stopped;
    throw new WireError('HPE_INVALID_EOF_STATE', 'Invalid EOF state');
  }

  /**
   * The sink, for one call, which may overwrite lent octets. If octets from `next` on are still needed, the parser goes on with a copy of the read, otherwise
   * with none: of a read with two heads, the first call copies and the second does not. With a wrong index it finds no octets ({@link gone}), and
   * never those of another client.
   *
   * @param next index of the first octet that is still needed
   */
  private sinkAt(next: number): RequestSink {
    const { octets } = this;
    if (next >= octets.length) this.octets = NOTHING;
    else if (this.lent) this.octets = Buffer.from(octets);
    this.lent = false;
    return this.sink;
  }

  /** Octets for a program, which may keep, change or transfer them: in memory of their own, as under node. */
  private piece(start: number, end: number): Buffer {
    const { octets } = this;
    if (end > octets.length) throw this.gone();
    const isAll = end - start === octets.length && !this.lent && isAllOfRead(octets);
    return isAll ? bufferOf(octets, start, end) : copyOf(octets, start, end);
  }

  /** The fault if {@link sinkAt} was told that octets are not needed any more, and they are. It is reported behind an upgrade too. */
  private gone(): WireError {
    this.upgrade = false;
    return new WireError('HPE_INTERNAL', 'Octets that were not read are gone');
  }

  private head(at: number): number {
    if (this.scanner !== null) return this.scan(at);
    const { length } = this.octets;
    if (length - at <= HEAD_WINDOW) return this.heads(at, length);
    const size = Math.max(this.octets.indexOf(HEAD_END, at) + HEAD_END.length - at, HEAD_WINDOW);
    // The scanner takes the longest, octet by octet: a regular expression over 12 MB of lines exceeds V8's stack, and a server may allow such heads.
    if (size > HEAD_WINDOW && size > Math.min(this.limits.octets, LONGEST_FAST_HEAD)) return this.scan(at);
    const next = this.heads(at, at + size);
    // It has not come whole, or is not for the fast parser.
    return next === at ? this.scan(at) : next;
  }

  /** Parses heads from the octets up to `window`; returns `at` if the first may go on after it. */
  private heads(at: number, window: number): number {
    const { length } = this.octets;
    const text = latin1(this.octets, at, window);
    const cut = window < length;
    // Pipelined requests of one chunk share the text.
    for (let from = 0; ;) {
      const end = parseHead(text, from, this, this.limits);
      if (end === -1) {
        // The window may have cut this head: the caller looks again from its start.
        return cut && window - at === HEAD_WINDOW ? at + from : this.scan(at + from);
      }
      this.major = 1;
      this.fields = null;
      this.nextMayFollow = at + end + Math.max(this.contentLength, 0) < length;
      let body: Buffer | string | null = null;
      if (this.contentLength > 0) {
        // A whole body of a lent read is cut from the text, because a body parser may take it as text. Otherwise it is copied once.
        const isText = this.lent && at + end + this.contentLength === length && !cut;
        body = isText ? text.slice(end) : this.bodyBehind(at + end);
      }
      from = this.headDone(at + end, body) - at;
      if (this.state !== State.Head || from >= text.length) return at + from;
    }
  }

  private scan(at: number): number {
    // Behind a head of the same text.
    if (at >= this.octets.length) throw this.gone();
    const scanner = (this.scanner ??= new HeadScanner(this.limits));
    let end = scanner.scanOctets(this.octets, at, HEAD_WINDOW);
    if (scanner.done) {
      this.scanner = null;
      this.method = scanner.method;
      this.target = scanner.target;
      this.major = scanner.major;
      this.minor = scanner.minor;
      this.repeated = '';
      this.fieldLines = '';
      this.fields = scanner.fields;
      this.facts = scanner.facts | (scanner.isLong ? Fact.ManyLines : 0);
      this.contentLength = scanner.contentLength;
      this.nextMayFollow = end + Math.max(this.contentLength, 0) < this.octets.length;
      end = this.headDone(end, this.bodyBehind(end));
      // As `headDone` does with lines that are one text.
      this.fields = null;
    }
    return end;
  }

  /** What follows a head, if it is of its body alone: copied once, for the program. */
  private bodyBehind(end: number): Buffer | null {
    const { length } = this.octets;
    return end < length && length - end <= this.contentLength ? this.piece(end, length) : null;
  }

  /**
   * @param end index after the head in the parsed octets
   * @param body what follows, if it is of the body alone: text if it is whole
   * @returns index of the next octet
   */
  private headDone(end: number, body: Buffer | string | null): number {
    const { facts, contentLength: length } = this;
    this.persistent = isPersistent(facts, this.major, this.minor);
    this.upgrade =
      this.method === 'CONNECT' || ((facts & Fact.Upgrade) !== 0 && (facts & Fact.ConnectionUpgrade) !== 0);
    const isUnreadable = (facts & Fact.TransferEncoding) !== 0 && !(facts & Fact.Chunked);
    const next = body === null ? end : end + body.length;
    this.state = State.Handling;
    // The refusal of an unreadable body has the whole read.
    const stops = this.sinkAt(isUnreadable ? 0 : next).onHead(this);
    // The request has them; here they would keep the text of its read alive until the next one.
    this.fieldLines = '';
    if (stops || this.stopped) {
      // Or the sink has called `stop()`.
      this.state = State.Stopped;
      if (body !== null) this.unread = typeof body === 'string' ? octetsOf(body) : body;
    } else if (isUnreadable) {
      // RFC 9112 §6.3 item 4: the length of a request whose last coding is not chunked is unknown. node calls the handler
      // with the request and then refuses the connection, and so does this.
      this.upgrade = false;
      throw new WireError('HPE_INVALID_TRANSFER_ENCODING', 'Request has invalid `Transfer-Encoding`', end);
    } else if (facts & Fact.Chunked) {
      this.chunked = new ChunkedDecoder(this, this.limits);
      this.state = State.Chunked;
    } else if (length > 0) {
      this.remaining = length;
      this.state = State.Length;
      if (body !== null) this.lengthBodyCame(body, next);
    } else {
      this.messageDone(next, this.persistent, NO_TRAILERS);
    }
    return next;
  }

  /** @param next index of the next octet */
  private messageDone(next: number, persistent: boolean, trailers: string[]): void {
    this.state = !persistent ? State.Closed : this.upgrade ? State.Behind : State.Head;
    this.sinkAt(next).onMessageEnd(trailers);
  }

  private lengthBody(at: number): number {
    const end = Math.min(this.octets.length, at + this.remaining);
    this.lengthBodyCame(this.memory?.take(this.octets, at, end) ?? this.piece(at, end), end);
    return end;
  }

  private lengthBodyCame(data: Buffer | string, next: number): void {
    this.remaining -= data.length;
    this.sinkAt(next).onBody(data);
    // A read inside the handler may have completed the message, or may have stopped the parser.
    if (this.remaining === 0 && this.state === State.Length) {
      this.nextMayFollow = next < this.octets.length;
      this.messageDone(next, this.persistent, NO_TRAILERS);
    }
  }

  private chunkedBody(at: number): number {
    const decoder = this.chunked!;
    const { octets } = this;
    const start = decoder.decode(octets, at);
    const end = decoder.takeData(start, octets.length);
    if (end !== start) {
      const data = this.piece(start, end);
      this.sinkAt(end).onBody(data);
    } else if (decoder.done) {
      this.chunked = null;
      this.nextMayFollow = end !== octets.length;
      this.messageDone(end, isPersistent(decoder.facts, this.major, this.minor), decoder.trailers);
    }
    return end;
  }

  // RFC 9112 §9.6: nothing may follow after `Connection: close`. Empty lines are accepted, as in llhttp.
  private afterClose(at: number): number {
    const { octets } = this;
    const wrong = this.upgrade ? -1 : octets.findIndex((c, i) => i >= at && c !== 0x0d && c !== 0x0a);
    if (wrong !== -1) throw new WireError('HPE_CLOSED_CONNECTION', 'Data after `Connection: close`', wrong + 1);
    return octets.length;
  }

  /**
   * What came in one read with a request for another protocol: node drops it. Here the requests in it are answered, and the rest is
   * dropped, of a head that has begun in it as soon as a later read shows that it is none.
   */
  private behind(at: number): number {
    this.state = State.Head;
    try {
      const end = this.head(at);
      if (at !== 0 && this.upgrade && this.headBegun) this.state = State.Behind;
      return end;
    } catch (error) {
      if (!this.isHushed(error)) throw error;
      this.scanner = null;
      return at === 0 ? 0 : this.octets.length;
    }
  }
}
