import { Buffer } from 'node:buffer';
import { isUint8Array } from 'node:util/types';
import { nodesProcess } from '../../core/clock.js';
import { asBuffer, latin1 } from '../../node/octets.js';
import { TICKS_ARE_CHUNKS } from '../../node/differences.js';
import { kOwnBody } from '../../core/shortcuts.js';
import { utf8Length } from '../../core/strings.js';
import {
  kChunkedLength,
  kCorked,
  kHighWaterMark,
  kNeedDrain,
  kRejectNonStandardBodyWrites,
} from '../../node/message-state.js';
import { encodeChunk, encodeChunkStart, encodeChunkedWhole } from '../../wire/encode.js';
import { type EngineResponse, Life, kConnection, kLife, noteUse } from '../message.js';
import { nodeResponse } from '../../node/classes.js';
import { becomeNode, counted, tellDrained } from './become-node.js';
import { addPart, gatherPart, hasForeignParts, takeGathered } from './gathered-parts.js';
import { isPlain, makeHead } from './head.js';

/** Data up to this many octets is joined with the string before it: one write instead of two in a `writev`. */
const JOINED = 4096;

const CRLF = '\r\n';
const LAST_CHUNK = encodeChunkedWhole('', 0);
const END_OF_CHUNKS = Buffer.from(CRLF + LAST_CHUNK);

/** The length of a part of the body in octets; -1 if node's own code should send it. */
function octetsIn(chunk: unknown, encoding: unknown): number {
  // The socket refuses an encoding that does not exist for octets, too.
  if (typeof chunk !== 'string')
    return isUint8Array(chunk) && (!encoding || Buffer.isEncoding(encoding as string)) ? chunk.byteLength : -1;
  return !encoding || encoding === 'utf8' || encoding === 'utf-8' ? utf8Length(chunk) : -1;
}

/** Whether it is the response's turn, and its parts go directly to the socket. */
function mayWrite(res: EngineResponse): boolean {
  return isPlain(res) && res[kConnection].mayWrite(res);
}

function refusesBody(res: EngineResponse): boolean {
  return !res._hasBody && Boolean(res[kRejectNonStandardBodyWrites]);
}

/**
 * Data that is short enough is sent as text. Made before the response changes its state: it throws for an array whose memory was transferred,
 * and the program may answer with something else then.
 */
function asSent(chunk: string | Uint8Array, size: number): string | Uint8Array {
  return typeof chunk === 'string' || size > JOINED ? chunk : latin1Text(chunk);
}

function latin1Text(chunk: Uint8Array): string {
  const octets = asBuffer(chunk);
  return latin1(octets, 0, octets.length);
}

/** Writes a part of the body. As under node, it is sent together with the other writes of the same tick. */
export function write(this: EngineResponse, chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
  if (this[kLife] === Life.Lean && typeof callback !== 'function' && typeof encoding !== 'function') {
    const size = octetsIn(chunk, encoding);
    if (size !== -1 && mayWrite(this) && makeHead(this) && this._hasBody) {
      return writePart(this, chunk as string | Uint8Array, size);
    }
  }
  const own = ownBodyOf(this);
  if (own !== undefined) return own.write.call(this, chunk, encoding, callback);
  noteUse(this);
  becomeNode(this);
  return nodeResponse.write.apply(this, counted(arguments.length, chunk, encoding, callback) as [unknown]);
}

/** The methods of a response of HTTP/2. */
function ownBodyOf(res: EngineResponse): { write: typeof write; end: typeof end } | undefined {
  return res[kLife] === undefined ? (res[kOwnBody] as never) : undefined;
}

function writePart(res: EngineResponse, chunk: string | Uint8Array, size: number): boolean {
  res[kConnection].outbox.gather(res);
  const gathers = TICKS_ARE_CHUNKS && res.chunkedEncoding && res[kCorked] !== 0;
  let goOn: boolean;
  if (gathers && (size !== 0 || res[kChunkedLength!] !== 0)) {
    gatherPart(res, chunk, size);
    goOn = res.writableLength < res.writableHighWaterMark;
  } else {
    goOn = sendPart(res, chunk, size);
  }
  if (!goOn) res[kNeedDrain] = true;
  return goOn;
}

/** The tick is over: its writes are sent. */
export function writeGathered(res: EngineResponse): void {
  const size = res[kChunkedLength!] as number;
  if (size === 0) return;
  const { socket } = res[kConnection];
  // A program has ended the socket: what was written stays in the response, and is still counted.
  const isKept = !res.destroyed && !socket.destroyed && !socket.writable;
  if (isKept || hasForeignParts(res)) {
    becomeNode(res);
    // node counts its corks from here; the caller removes the socket's.
    res[kCorked] = 1;
    socket.cork();
    nodeResponse.uncork.call(res);
    return;
  }
  const data = takeGathered(res);
  // Writes before a change such as trailers must not be lost.
  if (res.destroyed || !res[kConnection].mayWrite(res)) return;
  // The socket counts characters, the response octets: the socket may have room although the writer was told to wait.
  if (sendPart(res, data, size) && res[kNeedDrain]) nodesProcess.nextTick(tellDrained, res);
}

/** @returns whether the socket has room for more */
function sendPart(res: EngineResponse, chunk: string | Uint8Array, size: number): boolean {
  const part = asSent(chunk, size);
  const head = res._headerSent ? '' : res._header!;
  res._headerSent = true;
  if (typeof part !== 'string') return writeLarge(res, head, part);
  const text = res.chunkedEncoding && size !== 0 ? encodeChunk(part, size) : part;
  return res[kConnection].outbox.write(head + text, size !== part.length);
}

function writeLarge(res: EngineResponse, head: string, chunk: Uint8Array): boolean {
  const { outbox } = res[kConnection];
  const before = res.chunkedEncoding ? head + encodeChunkStart(chunk.byteLength) : head;
  if (before !== '') outbox.write(before, false);
  const goOn = outbox.write(chunk, false);
  return res.chunkedEncoding ? outbox.write(CRLF, false) : goOn;
}

export function flushHeaders(this: EngineResponse): void {
  if (this[kLife] === Life.Lean && mayWrite(this) && makeHead(this)) {
    if (this._headerSent) return;
    this._headerSent = true;
    this[kConnection].outbox.write(this._header!, false);
    return;
  }
  becomeNode(this);
  nodeResponse.flushHeaders.call(this);
}

export function end(this: EngineResponse, chunk?: unknown, encoding?: unknown, callback?: unknown): EngineResponse {
  if (
    this[kLife] === Life.Lean &&
    // As in node, a value that is not a function is not a callback. Fastify passes null.
    typeof callback !== 'function' &&
    typeof encoding !== 'function' &&
    endLean(this, chunk, encoding)
  ) {
    return this;
  }
  const own = ownBodyOf(this);
  if (own !== undefined) return own.end.call(this, chunk, encoding, callback);
  noteUse(this);
  becomeNode(this);
  nodeResponse.end.apply(this, counted(arguments.length, chunk, encoding, callback) as []);
  return this;
}

/** Encodes the whole response, or the rest of it; false if node's own code should send it. */
function endLean(res: EngineResponse, chunk: unknown, encoding: unknown): boolean {
  let size = chunk ? octetsIn(chunk, encoding) : 0;
  if (size === -1 || !isPlain(res)) return false;
  if (res._header === null) {
    res._contentLength = size;
    if (!makeHead(res)) return false;
  } else if (!chunk && res._header.length >= (res[kHighWaterMark] as number)) {
    // node does not cork the socket here, so that it emits no `'drain'` for what fills it and is sent at once.
    return false;
  }
  if (chunk && refusesBody(res)) return false;
  let last = chunk as string | Uint8Array | undefined;
  if (res[kCorked] !== 0) {
    if (TICKS_ARE_CHUNKS && res[kChunkedLength!] !== 0) {
      if (hasForeignParts(res)) return false;
      if (last) addPart(res, last);
      size += res[kChunkedLength!] as number;
      last = takeGathered(res);
    }
    // node's code removes all corks at the end.
    res[kCorked] = 0;
  }
  if (last && res._hasBody) last = asSent(last, size);
  res.finished = true;
  res[kLife] = Life.Ended;
  if (answer(res, last, size)) return true;
  res.finished = false;
  res[kLife] = Life.Lean;
  return false;
}

function answer(res: EngineResponse, chunk: string | Uint8Array | undefined, size: number): boolean {
  const host = res[kConnection];
  const head = res._headerSent ? '' : res._header!;
  const chunked = res._hasBody && res.chunkedEncoding;
  if (!res._hasBody || !chunk) return host.answer(res, chunked ? head + LAST_CHUNK : head, false, null);
  if (typeof chunk === 'string')
    return host.answer(res, head + (chunked ? encodeChunkedWhole(chunk, size) : chunk), size !== chunk.length, null);
  if (!chunked) return host.answer(res, head, false, chunk);
  if (host.mayWrite(res)) {
    host.socket.cork();
    writeLarge(res, head, chunk);
    return host.answer(res, LAST_CHUNK, false, null);
  }
  // It waits for its turn. Not as text: V8's strings are shorter than a buffer may be.
  return host.answer(res, head + encodeChunkStart(size), false, Buffer.concat([chunk, END_OF_CHUNKS]));
}

/**
 * node's `_send` with one difference: if other data waits (a 103 or a 100 of a response whose turn has not come), the
 * head goes after it. For a body that is not a string, node puts the head before all waiting data, which separates it
 * from its body.
 */
export function sendInOrder(
  this: EngineResponse,
  data: unknown,
  encoding?: unknown,
  callback?: unknown,
  size?: unknown,
): boolean {
  const headWaits = this[kLife] === Life.Node && !this._headerSent && this._header !== null;
  if (headWaits && typeof data !== 'string' && this.outputData.length !== 0) {
    const { length } = this._header!;
    this.outputData.push({ data: this._header, encoding: 'latin1', callback: null });
    this.outputSize += length;
    this._onPendingData(length);
    this._headerSent = true;
    return this._writeRaw(data, encoding, callback, size);
  }
  return nodeResponse._send.call(this, data, encoding, callback, size);
}
