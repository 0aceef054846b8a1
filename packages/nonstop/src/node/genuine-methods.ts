import { hidden } from '../core/hidden.js';
import { Readable, Stream } from 'node:stream';
import { nodeRequest, nodeResponse } from './classes.js';
import { hasMark } from './marks.js';

type Methods = Record<string, unknown>;

/**
 * Methods of node's responses that the engine implements itself, or that node's server calls, each with a text that its
 * source has in every supported Node. The text tells node's method from one that was replaced before this file was
 * loaded.
 */
const MARKS: Readonly<Record<string, string>> = {
  end: 'ERR_STREAM_WRITE_AFTER_END',
  writeHead: 'ERR_HTTP_INVALID_STATUS_CODE',
  write: 'write_(',
  setHeader: 'ERR_HTTP_HEADERS_SENT',
  getHeader: 'validateString(',
  hasHeader: 'validateString(',
  removeHeader: 'ERR_HTTP_HEADERS_SENT',
  getHeaderNames: 'kOutHeaders',
  getHeaders: 'kOutHeaders',
  flushHeaders: '_implicitHeader',
  _implicitHeader: 'this.writeHead(this.statusCode)',
  assignSocket: 'ERR_HTTP_SOCKET_ASSIGNED',
  detachSocket: 'this.socket = null',
  _send: '_headerSent',
  _writeRaw: 'outputData',
  _storeHeader: '_removedConnection',
  _flush: '_flushOutput',
  _finish: 'OutgoingMessage.prototype._finish',
  on: '_addListener(',
  emit: 'kErrorMonitor',
  uncork: '.uncork()',
  _flushOutput: 'outputLength',
};

const used: Methods = nodeResponse;

/** node's methods; for a method that was replaced, its name instead. */
function genuineOf(methods: Methods, marks: Readonly<Record<string, string>>): Readonly<Methods> {
  const isNodes = (name: string): boolean => hasMark(methods[name], marks[name]);
  return Object.fromEntries(Object.keys(marks).map((name) => [name, isNodes(name) ? methods[name] : name]));
}

const genuine = genuineOf(used, MARKS);

/** The methods of node's responses that a pipe calls; for one that was replaced before, its name. */
export const genuinePiped = { write: genuine.write, end: genuine.end };

/** The method by which a pipe tells of itself (`'pipe'`, `'drain'`, `'unpipe'`), in the same way. */
export const genuineEmit: unknown = genuine.emit;

/** Whether any of node's methods was replaced, for example by a monitoring agent. */
export function areResponsesInstrumented(): boolean {
  return (
    used.end !== genuine.end ||
    used.writeHead !== genuine.writeHead ||
    used.write !== genuine.write ||
    used.setHeader !== genuine.setHeader ||
    used.getHeader !== genuine.getHeader ||
    used.hasHeader !== genuine.hasHeader ||
    used.removeHeader !== genuine.removeHeader ||
    used.getHeaderNames !== genuine.getHeaderNames ||
    used.getHeaders !== genuine.getHeaders ||
    used.flushHeaders !== genuine.flushHeaders ||
    used._implicitHeader !== genuine._implicitHeader ||
    used.assignSocket !== genuine.assignSocket ||
    used.detachSocket !== genuine.detachSocket ||
    used._send !== genuine._send ||
    used._writeRaw !== genuine._writeRaw ||
    used._storeHeader !== genuine._storeHeader ||
    used._flush !== genuine._flush ||
    used._finish !== genuine._finish ||
    used.on !== genuine.on ||
    used.emit !== genuine.emit ||
    used.uncork !== genuine.uncork ||
    used._flushOutput !== genuine._flushOutput
  );
}

const ofRequests: Methods = nodeRequest;

/** The same for methods that node's code calls on each request: for its fields, and for its body if that is not read. */
const genuineOfRequests = genuineOf(ofRequests, {
  _addHeaderLine: 'matchKnownFields',
  _addHeaderLines: '_addHeaderLine(',
  _dump: '_dumped',
  _destroy: 'readableEnded',
  destroy: '_writableState',
  emit: 'kErrorMonitor',
  push: 'readableAddChunk',
  read: 'endReadable(this)',
  resume: 'resume(this, state)',
});

/** Whether any of these was replaced. */
export function areRequestsInstrumented(): boolean {
  return (
    ofRequests._addHeaderLine !== genuineOfRequests._addHeaderLine ||
    ofRequests._addHeaderLines !== genuineOfRequests._addHeaderLines ||
    ofRequests._dump !== genuineOfRequests._dump ||
    ofRequests._destroy !== genuineOfRequests._destroy ||
    ofRequests.destroy !== genuineOfRequests.destroy ||
    ofRequests.emit !== genuineOfRequests.emit ||
    ofRequests.push !== genuineOfRequests.push ||
    ofRequests.read !== genuineOfRequests.read ||
    ofRequests.resume !== genuineOfRequests.resume
  );
}

/** The same for the methods that are called when a parser reads a request's body from its stream. */
const ofStream = genuineOf(hidden<Methods>(Readable.prototype), {
  on: 'Stream.prototype.on.call(',
  removeListener: 'Stream.prototype.removeListener.call(',
  emit: 'kErrorMonitor',
  push: 'readableAddChunk',
  read: 'endReadable(this)',
  resume: 'resume(this, state)',
});
const { _read: nodesRead } = genuineOf(nodeRequest, { _read: '_consuming' });
/** A stream's `on` calls this method of the emitter. */
const emitters = hidden<Methods>(Stream.prototype);
const { on: emittersOn } = genuineOf(emitters, { on: '_addListener(' });

/**
 * Whether a method that passes a body on was replaced, for this request or for all, for example by an agent that records
 * bodies.
 *
 * @param listen the `on` that the request has if it was not replaced; it calls node's
 */
export function isBodyWatched(request: object, listen: unknown): boolean {
  const req = request as Methods;
  return (
    req.on !== listen ||
    ofRequests.on !== ofStream.on ||
    req.emit !== ofStream.emit ||
    req.push !== ofStream.push ||
    req.read !== ofStream.read ||
    req._read !== nodesRead ||
    req.resume !== ofStream.resume ||
    req.removeListener !== ofStream.removeListener ||
    emitters.on !== emittersOn
  );
}

/** Whether `push()` was replaced. It is called even for a body that is not read. */
export function isPushWatched(request: object): boolean {
  return (request as Methods).push !== ofStream.push;
}
