import { define } from '../core/define-own.js';
import { hidden } from '../core/hidden.js';
import type http = require('node:http');
import http2 = require('node:http2');
import type { Socket } from 'node:net';
import { monotonicNow, setRealImmediate } from '../core/clock.js';
import { Engine, type Prototypes } from '../http/server/engine.js';
import { IncomingMessage } from '../http/request/class.js';
import { ServerResponse } from '../http/response/class.js';
import { reasonAgainst } from '../http/server/takeover.js';
import {
  isSecureHttp2Server,
  NodeHttp2Request,
  NodeHttp2Response,
  optionsOfHttp2Server,
  secureListenerOf,
  streamListenerOf,
  type Http2Server,
} from '../node/http2-servers.js';
import { dispatchHttp2 } from './dispatch.js';
import type { Http2Request } from './messages.js';
import { NodeRequest, NodeResponse } from '../node/classes.js';
import { renewStreamMap } from '../node/http2-sessions.js';
import { hasClass } from '../node/http-servers.js';
import { http2RequestClass, type RequestClass } from './request.js';
import { http2ResponseClass, type ResponseClass } from './response.js';
import { isFirstListener, putListener } from '../node/quiet-listeners.js';
import { Sessions, type Deadlines } from './sessions.js';
import { isCurrent, twinFor, type Twin } from './twins.js';

const kHttp2: unique symbol = Symbol('nonstop.http2');

type Streamed = (
  stream: http2.ServerHttp2Stream,
  block: http2.IncomingHttpHeaders,
  flags: number,
  raw: string[],
) => void;
type Listener = (...args: unknown[]) => void;

interface Http2Classes {
  readonly requests: Twin;
  readonly responses: Twin;
  readonly Request: RequestClass;
  readonly Response: ResponseClass;
}

/** The classes of messages that inherit from these prototypes of HTTP/1 messages. */
function classesFor(request: object, response: object): Http2Classes {
  const requests = twinFor(request);
  const responses = twinFor(response);
  return {
    requests,
    responses,
    Request: http2RequestClass(requests.prototype),
    Response: http2ResponseClass(responses.prototype),
  };
}

/** Milliseconds between looks for non-enumerable members. */
const ALL_MEMBERS = 10;

/** How one server of `node:http2` is served. */
class Http2Engine {
  readonly sessions: Sessions;
  /** Serves the connections of HTTP/1.1 on the same port; undefined if there are none, or node serves them. */
  http1: Engine | undefined;
  /** Gives later connections of HTTP/1.1 to node again. */
  leaveHttp1: (() => void) | undefined;
  checked = false;
  /** `close()` was called: a session whose handshake was under way ends with its first requests. */
  closing = false;
  /** Sessions may be open that were not seen: they began before a first request took the server over. */
  hasOlder = false;
  private checkedAll = 0;
  private readonly plain = classesFor(NodeRequest.prototype, NodeResponse.prototype);
  private given: Http2Classes | undefined;
  /** The listener for `'request'` whose messages have the given prototypes. */
  private owner: unknown;

  constructor(readonly server: Http2Server) {
    this.sessions = new Sessions(server, optionsOf(server));
  }

  /** Looks, once in a turn of the event loop, whether something was added to the prototypes of messages. */
  private check(): void {
    const now = monotonicNow();
    const all = now - this.checkedAll >= ALL_MEMBERS;
    if (all) this.checkedAll = now;
    for (const { requests, responses } of this.given === undefined ? [this.plain] : [this.plain, this.given]) {
      if (!isCurrent(requests, all)) twinFor(requests.original, all);
      if (!isCurrent(responses, all)) twinFor(responses.original, all);
    }
    this.checked = true;
    setRealImmediate(uncheck, this);
  }

  /** Gives future messages these prototypes of HTTP/1 messages. */
  setPrototypes(prototypes: Prototypes): void {
    this.given = classesFor(prototypes.request, prototypes.response);
    this.owner = prototypes.listener;
    this.http1?.setPrototypes(prototypes);
  }

  get hasPrototypes(): boolean {
    return this.given !== undefined;
  }

  /** As in the engine of HTTP/1.1. */
  private classes(): Http2Classes {
    const { given, owner } = this;
    if (given === undefined) return this.plain;
    return owner === undefined || isFirstListener(this.server, 'request', owner) ? given : this.plain;
  }

  readonly onStream: Streamed = (stream, block, _flags, raw) => {
    if (!this.checked) this.check();
    if (this.closing && !this.server.listening) stream.session?.close();
    if (stream.session) renewStreamMap(stream.session);
    if (this.hasOlder && stream.session) this.sessions.add(stream.session as http2.ServerHttp2Session);
    if (stream.session?.pendingSettingsAck && isTooLarge(raw, optionsOf(this.server).settings)) {
      stream.on('error', () => undefined).close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    const { Request, Response } = this.classes();
    const req: Http2Request = new Request(stream, block, raw);
    dispatchHttp2(this.server, req, new Response(req));
  };
}

function uncheck(engine: { checked: boolean }): void {
  engine.checked = false;
}

interface Owned {
  [kHttp2]?: Http2Engine | 'left';
}

/**
 * Serves the streams of a server of `node:http2` with messages of this package, and its connections of HTTP/1.1, if it
 * allows them, with the engine. The sessions stay node's.
 *
 * @param prototypes prototypes of the messages, as for `accelerate` of `nonstop/http`
 * @param http1 whether the engine takes the connections of HTTP/1.1
 * @returns whether its streams are served so now; false if it has its own message classes
 */
export function accelerateHttp2(server: Http2Server, prototypes?: Prototypes, http1 = true): boolean {
  const owned = server as Owned;
  let state = owned[kHttp2];
  if (state === undefined) {
    state = isLeft(server) ? 'left' : new Http2Engine(server);
    define(owned, kHttp2, { value: state });
    if (state !== 'left') install(server, state, http1);
  }
  if (state === 'left') return false;
  if (!http1) state.leaveHttp1?.();
  if (prototypes !== undefined && !state.hasPrototypes) state.setPrototypes(prototypes);
  return true;
}

/** Whether everything is decided for a server. */
export function isHttp2Decided(server: object): boolean {
  const state = (server as Owned)[kHttp2];
  return state === 'left' || (state !== undefined && state.hasPrototypes);
}

/** A session that was open before the server was taken over. */
export function adoptSession(server: object, session: http2.ServerHttp2Session): void {
  const state = (server as Owned)[kHttp2];
  if (typeof state !== 'object') return;
  state.hasOlder = true;
  state.sessions.add(session);
}

interface Http2Options extends Deadlines {
  Http2ServerRequest?: unknown;
  Http2ServerResponse?: unknown;
  Http1IncomingMessage?: unknown;
  Http1ServerResponse?: unknown;
  allowHTTP1?: boolean;
  settings?: http2.Settings;
}

const optionsOf = (server: object): Http2Options => optionsOfHttp2Server(server);

function isLeft(server: Http2Server): boolean {
  const { Http2ServerRequest = NodeHttp2Request, Http2ServerResponse = NodeHttp2Response } = optionsOf(server);
  return Http2ServerRequest !== NodeHttp2Request || Http2ServerResponse !== NodeHttp2Response;
}

/**
 * Limits of a client in one session, unless the server's options set them. node does not limit streams: each is a request
 * under way, so one connection could have any number; browsers and proxies wait or open another connection. node
 * documents this limit for the octets of a header block, but only limits a single field: 128 fields of 64 KB.
 */
const LIMITS = { maxConcurrentStreams: 128, maxHeaderListSize: 65_535 };

/** Whether a header block exceeds its limit. nghttp2 applies that when the client has acknowledged it, which it may never do. */
function isTooLarge(raw: readonly string[], settings: http2.Settings = {}): boolean {
  const { maxHeaderListSize = LIMITS.maxHeaderListSize } = settings;
  let size = 0;
  // RFC 9113 §6.5.2: each field counts 32 more.
  for (const text of raw) size += text.length + 16;
  return size > ((settings as { maxHeaderSize?: number }).maxHeaderSize ?? maxHeaderListSize);
}

/** For future sessions. */
function limitSessions(server: Http2Server): void {
  server.updateSettings({ ...LIMITS, ...optionsOf(server).settings });
}

function install(server: Http2Server, engine: Http2Engine, http1: boolean): void {
  limitSessions(server);
  const onStream = engine.onStream as Listener;
  const replace = (): boolean => {
    const nodes = streamListenerOf(server);
    if (nodes === undefined) return false;
    putListener(server, 'stream', nodes, onStream);
    return true;
  };
  if (!replace()) {
    // node adds its listener by the same event, when a listener for requests is added, and before this one is called.
    const onListener = (event: string | symbol): void => {
      if (event === 'request' && replace()) server.removeListener('newListener', onListener);
    };
    server.on('newListener', onListener);
  }
  if (http1 && isSecureHttp2Server(server)) takeHttp1(server, hidden<http.Server>(server), engine);
  extendClosing(server, engine);
}

/**
 * Whether the server allows HTTP/1, and the engine can serve it: the same as for a server of HTTP/1 alone.
 *
 * @param http1 the same server
 */
function mayTakeHttp1(server: http2.Http2SecureServer, http1: http.Server): boolean {
  const { allowHTTP1, Http1IncomingMessage, Http1ServerResponse } = optionsOf(server);
  // node takes the usual ones from the module `http`, where a program may have put those of this package.
  const isUsual = (name: 'IncomingMessage' | 'ServerResponse', given: unknown, usual: readonly unknown[]): boolean =>
    usual.some((each) => hasClass(http1, name, each) && (given === undefined || given === each));
  return (
    allowHTTP1 === true &&
    isUsual('IncomingMessage', Http1IncomingMessage, [NodeRequest, IncomingMessage]) &&
    isUsual('ServerResponse', Http1ServerResponse, [NodeResponse, ServerResponse]) &&
    reasonAgainst(http1) === undefined
  );
}

/**
 * Gives the engine the connections that did not choose HTTP/2 in their TLS handshake (RFC 7301), which node passes to its
 * HTTP/1.
 */
function takeHttp1(server: http2.Http2SecureServer, http1: http.Server, engine: Http2Engine): void {
  if (!mayTakeHttp1(server, http1)) return;
  const nodes = secureListenerOf(server);
  if (nodes === undefined) return;
  const taking = new Engine(http1);
  engine.http1 = taking;
  const listener = (socket: Socket & { alpnProtocol?: string | false | null }): void => {
    if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') taking.listener(socket);
    else nodes.call(server, socket);
  };
  putListener(server, 'secureConnection', nodes, listener);
  engine.leaveHttp1 = () => putListener(server, 'secureConnection', listener, nodes);
}

interface Closing {
  close(done?: (error?: Error) => void): unknown;
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

/**
 * `close()` ends sessions like connections of HTTP/1: they get GOAWAY, requests under way are answered, and the server is
 * closed after the last session. node does so from Node 24 on.
 */
function extendClosing(server: Http2Server, engine: Http2Engine): void {
  const { sessions } = engine;
  const owned = server as Closing;
  const { close, closeIdleConnections, closeAllConnections } = owned;
  const members: Closing = {
    close(done) {
      engine.closing ||= server.listening;
      const closed = close.call(server, done);
      engine.http1?.closeIdle();
      sessions.close();
      return closed;
    },
    closeIdleConnections() {
      closeIdleConnections?.call(server);
      engine.http1?.closeIdle();
      sessions.closeIdle();
    },
    closeAllConnections() {
      closeAllConnections?.call(server);
      engine.http1?.closeAll();
      sessions.destroy();
    },
  };
  for (const [name, value] of Object.entries(members)) {
    define(server, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
