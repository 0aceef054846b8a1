import { Readable, Stream } from 'node:stream';
import { NodeRequest, NodeResponse } from './classes.js';

type Methods = Record<string, unknown>;

/**
 * Methods of node's responses that the engine has ways of its own for, or that node's server calls itself, each with something that
 * its source says on every supported Node. That is how one which was replaced before this file was loaded is told from node's.
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
};

const used = NodeResponse.prototype as unknown as Methods;

/** The methods as they are found, where they are node's; their names, which are no methods, where they are not. */
function genuineOf(methods: Methods, marks: Readonly<Record<string, string>>): Readonly<Methods> {
  const isNodes = (name: string): boolean => {
    const method = methods[name];
    return typeof method === 'function' && Function.prototype.toString.call(method).includes(marks[name]);
  };
  return Object.fromEntries(Object.keys(marks).map((name) => [name, isNodes(name) ? methods[name] : name]));
}

const genuine = genuineOf(used, MARKS);

/** Somebody, such as an agent that watches a process, has put methods of his own in the place of node's. */
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
    used.on !== genuine.on
  );
}

/** The same for the methods that are called on a request whose body a parser reads from its stream. */
const ofStream = genuineOf(Readable.prototype as unknown as Methods, {
  on: 'Stream.prototype.on.call(',
  removeListener: 'Stream.prototype.removeListener.call(',
  emit: 'kErrorMonitor',
  push: 'readableAddChunk',
  read: 'endReadable(this)',
  resume: 'resume(this, state)',
});
const { _read: nodesRead } = genuineOf(NodeRequest.prototype as unknown as Methods, { _read: '_consuming' });
/** What `on` of a stream calls in its turn. */
const emitters = Stream.prototype as unknown as Methods;
const { on: emittersOn } = genuineOf(emitters, { on: '_addListener(' });

/** Somebody, such as an agent that records bodies, has put a method of his own in the way of a body, of this request or of all. */
export function isBodyWatched(request: object): boolean {
  const req = request as Methods;
  return (
    req.on !== ofStream.on ||
    req.emit !== ofStream.emit ||
    req.push !== ofStream.push ||
    req.read !== ofStream.read ||
    req._read !== nodesRead ||
    req.resume !== ofStream.resume ||
    req.removeListener !== ofStream.removeListener ||
    emitters.on !== emittersOn
  );
}

/** Of such a method `push()` is called for a body that nobody reads, too. */
export function isPushWatched(request: object): boolean {
  return (request as Methods).push !== ofStream.push;
}
