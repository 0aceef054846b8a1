import { NodeResponse } from './node-http.js';

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

function isNodes(name: string): boolean {
  const method = used[name];
  return typeof method === 'function' && Function.prototype.toString.call(method).includes(MARKS[name]);
}

/** The methods as they were found, where they are node's; the mark itself, which is no method, where one is not. */
const genuine: Readonly<Methods> = Object.fromEntries(
  Object.keys(MARKS).map((name) => [name, isNodes(name) ? used[name] : name]),
);

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
