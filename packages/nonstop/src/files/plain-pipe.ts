import fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import { kAsciiHead, kOnlyReads, kTakesText, type MaybeAscii } from '../core/shortcuts.js';
import { nodeResponse } from '../node/classes.js';
import { outgoingPrototype } from '../node/doors.js';
import { genuineEmit, genuinePiped } from '../node/genuine-methods.js';
import { passesToHandle } from '../node/handle-writes.js';
import { hasMark } from '../node/marks.js';

const { createReadStream: nodesStream } = fs;

const STREAM_IS_NODES = hasMark(nodesStream, 'new ReadStream(path, options)');

/**
 * Whether `end()` can stand for a pipe: the methods that a pipe calls, `emit()` among them, and the function that makes its stream, were not replaced, there is no
 * listener for `'pipe'` or `'unpipe'`, and the head would be the same.
 */
export function isPipedPlainly(res: ServerResponse): boolean {
  return (
    STREAM_IS_NODES &&
    fs.createReadStream === nodesStream &&
    hasOriginals(res) &&
    res.emit === genuineEmit &&
    res.listenerCount('pipe') === 0 &&
    res.listenerCount('unpipe') === 0 &&
    isPlainDisposition(res.getHeader('Content-Disposition'))
  );
}

interface Piped {
  readonly write: unknown;
  readonly end: unknown;
}

const ofNode: Piped = genuinePiped;

/** The original methods of each class of responses, by its prototype: node's, and the engine's, which are added at their first response. */
const originals = new WeakMap<object, Piped>([[outgoingPrototype, ofNode]]);

/** The methods of the last response that had the original ones: nearly every response has the same. */
let usual = ofNode;

/** Whether these methods are the original ones, on the response, on the application's prototype, and on node's, which the engine's call. */
function hasOriginals(res: ServerResponse): boolean {
  return haveSame(nodeResponse, ofNode) && (haveSame(res, usual) || hasOriginalsOfClass(res));
}

function haveSame(object: object, { write, end }: Piped): boolean {
  return (object as Piped).write === write && (object as Piped).end === end;
}

function hasOriginalsOfClass(res: ServerResponse): boolean {
  // HTTP/2: only own methods count. One on the application's prototype calls the method of HTTP/1 that it found there, which cannot write here.
  if (kTakesText in res) return !Object.hasOwn(res, 'write') && !Object.hasOwn(res, 'end');
  let owner: object | null = res;
  while (owner !== null && !Object.hasOwn(owner, 'write')) owner = Object.getPrototypeOf(owner) as object | null;
  const methods = owner === null ? undefined : (originals.get(owner) ?? ofEngine(owner));
  if (methods === undefined || !haveSame(res, methods)) return false;
  usual = methods;
  return true;
}

/** The methods of a class of the engine, which has a shortcut among its members. Undefined for another object. */
function ofEngine(prototype: object): Piped | undefined {
  if (!Object.hasOwn(prototype, kAsciiHead)) return undefined;
  const methods = methodsOf(prototype);
  originals.set(prototype, methods);
  return methods;
}

function methodsOf(prototype: object): Piped {
  const { write, end } = prototype as Piped;
  return { write, end };
}

/** A pipe sends other values in Latin-1. In a response whose length node learns from `end()`, node spoils them. */
export function isPlainDisposition(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !/[^\0-\x7f]/.test(value));
}

/**
 * The content for one response: the shared Buffer if only node's handle reads it, otherwise a copy. Code of a program may get it by a method
 * that was replaced (even while the fields were set), or by a stream in place of the socket, also of a response that waits for its socket.
 */
export function contentFor(res: ServerResponse, content: Buffer): Buffer {
  const isShared = hasOriginals(res) && ((res as MaybeAscii)[kOnlyReads] ?? passesToHandle(res.socket));
  return isShared ? content : Buffer.from(content);
}
