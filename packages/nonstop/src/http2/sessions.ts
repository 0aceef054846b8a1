import http2 = require('node:http2');
import type { Socket } from 'node:net';
import { checkingInterval, monotonicNow, setOutsideTimeout, setRealImmediate } from '../core/clock.js';
import { DESTROYED_SESSIONS_ABORT } from '../node/differences.js';
import { PassingSet } from '../core/passing-set.js';
import { destroyLater, isAllWritten, octetsLeft, socketOfSession, streamsOfSession } from '../node/http2-sessions.js';
import type { Http2Server } from '../node/http2-servers.js';
import { timeOutRequest } from './reset.js';

/** The deadlines from the server's properties, or else its options, in milliseconds; 0 means never. */
export interface Deadlines {
  headersTimeout?: number;
  requestTimeout?: number;
  keepAliveTimeout?: number;
  connectionsCheckingInterval?: number;
}

/** Before Node 24 a server that allows HTTP/1 has node's defaults as its properties, whatever its options say. */
function setDeadlines(server: Deadlines, options: Deadlines): void {
  // Node 20 has no default for the connections of HTTP/1 here: an idle one would stay for ever.
  const { headersTimeout, requestTimeout, keepAliveTimeout = NODES_KEEP_ALIVE, connectionsCheckingInterval } = options;
  if (server.keepAliveTimeout !== undefined || server.headersTimeout === undefined) return;
  const given: Deadlines = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval };
  for (const [name, value] of Object.entries(given) as [keyof typeof DEFAULTS, number | undefined][]) {
    if (value !== undefined && (server[name] === undefined || server[name] === DEFAULTS[name])) server[name] = value;
  }
}

const DEFAULTS = { headersTimeout: 60_000, requestTimeout: 300_000, connectionsCheckingInterval: 30_000 };

/**
 * The default time limit of a session without a stream. Opening a session costs more round trips than a connection
 * without TLS, and browsers keep theirs for minutes: with HTTP/1's 5 seconds most of them would have to be opened again.
 */
const IDLE_SESSION = 120_000;

/**
 * Octets that a client may send in one round trip, of all request bodies of a session together (RFC 9113 §6.9). node's 65,535 hold up uploads that run at once:
 * of 100 streams that POST 1 kB each without a pause some waited for 6 seconds. The window costs no memory, because node opens it again when octets arrive,
 * whether or not somebody reads them: what waits to be read is limited by the windows of the streams.
 */
const SESSION_WINDOW = 2 ** 20;

const NODES_SESSION_WINDOW = 65_535;

/** node's default of `keepAliveTimeout`, on versions that set one: not the user's choice. */
const NODES_KEEP_ALIVE = 5000;

/** The state of one session from the last checks. */
interface Watched {
  readonly session: http2.ServerHttp2Session;
  /** Its client has sent the preface and its settings. */
  greeted: boolean;
  /** Since when no stream is open, or the session's settings are missing, or its end does not go on. */
  since: number;
  /** The last stream at the last check. */
  last: number | undefined;
  /** By stream: since when a request is known to be incomplete. */
  waiting: Map<http2.ServerHttp2Stream, number>;
  /** Octets that its connection had sent at the last check. */
  sent: number | undefined;
  /** Its connection, which a session that has ended no longer has. */
  readonly socket: Socket | undefined;
  /** Octets that its client had not read at the last check, of a session that has ended. */
  left: number | undefined;
}

/**
 * Opens the window of a session, unless the program has set it.
 *
 * @param forStream octets of the window of a stream, which the session's is not less than
 */
function openWindow(session: http2.ServerHttp2Session, forStream = 0): void {
  if (session.destroyed || session.state.effectiveLocalWindowSize !== NODES_SESSION_WINDOW) return;
  session.setLocalWindowSize(Math.max(SESSION_WINDOW, forStream));
}

/** States of a stream in which its client has more to send (`http2.constants`). */
const { NGHTTP2_STREAM_STATE_OPEN, NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL, NGHTTP2_SETTINGS_TIMEOUT } = http2.constants;

/** The state of a stream that the session no longer has. */
const { NGHTTP2_STREAM_STATE_IDLE } = http2.constants;

const isWaiting = (stream: http2.ServerHttp2Stream): boolean =>
  stream.state.state === NGHTTP2_STREAM_STATE_OPEN || stream.state.state === NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL;

/**
 * The sessions of one server. The server needs them to end them, because node's own list is new in Node 24, and to apply
 * the deadlines of HTTP/1, which `node:http2` does not have. They are checked every `connectionsCheckingInterval`, so a
 * request costs nothing.
 */
export class Sessions {
  private readonly open = new PassingSet<Watched>();
  private readonly known = new WeakSet<http2.ServerHttp2Session>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Http2Server,
    private readonly options: Deadlines & { settings?: http2.Settings },
  ) {
    setDeadlines(server as Deadlines, options);
    server.on('session', (session: http2.ServerHttp2Session) => this.watch(session, false));
  }

  /** A session that was open before this list existed. */
  add(session: http2.ServerHttp2Session): void {
    if (!this.known.has(session) && !session.destroyed) this.watch(session, true);
  }

  /** Ends the sessions without a request under way, as node's does with connections: those that have had one. */
  closeIdle(): void {
    for (const { session } of this.open) {
      if (streamsOfSession(session).length === 0 && session.state.lastProcStreamID !== 0) session.close();
    }
  }

  /** GOAWAY: requests under way are answered, and the session ends with its last stream (RFC 9113 §6.8). */
  close(): void {
    for (const { session } of this.open) session.close();
  }

  destroy(): void {
    for (const { session, socket } of this.open) {
      session.destroy();
      // node's own waits until the client has read everything. GOAWAY leaves in this turn of the event loop.
      if (socket !== undefined) setRealImmediate(destroySocket, socket);
    }
  }

  private watch(session: http2.ServerHttp2Session, greeted: boolean): void {
    const watched: Watched = {
      session,
      greeted,
      since: monotonicNow(),
      last: undefined,
      waiting: new Map(),
      sent: undefined,
      socket: socketOfSession(session),
      left: undefined,
    };
    this.open.add(watched);
    this.known.add(session);
    if (DESTROYED_SESSIONS_ABORT) destroyLater(session);
    // After the program's listeners for 'session': what was opened cannot be closed.
    setRealImmediate(() => openWindow(session, this.options.settings?.initialWindowSize));
    session.once('close', () => this.open.delete(watched));
    if (!greeted) session.once('remoteSettings', () => (watched.greeted = true));
    if (this.timer === undefined) this.arm();
  }

  /** @returns milliseconds; 0 for never */
  private limit(name: keyof typeof DEFAULTS): number {
    return (this.server as Deadlines)[name] ?? this.options[name] ?? DEFAULTS[name];
  }

  private idleLimit(): number {
    const set = (this.server as Deadlines).keepAliveTimeout ?? this.options.keepAliveTimeout ?? NODES_KEEP_ALIVE;
    return set === NODES_KEEP_ALIVE ? IDLE_SESSION : set;
  }

  private arm(): void {
    const check = checkingInterval(this.limit('connectionsCheckingInterval'));
    // A session must be idle at one check and still at a later one.
    const idle = this.idleLimit() / 2;
    this.timer = setOutsideTimeout(() => this.look(), idle > 0 ? Math.min(check, idle) : check);
    this.timer.unref();
  }

  private look(): void {
    this.timer = undefined;
    const now = monotonicNow();
    try {
      for (const watched of this.open) this.lookAt(watched.session, watched, now);
    } finally {
      // A listener of the program's may have thrown; the next check looks at the others.
      if (this.open.size !== 0) this.arm();
    }
  }

  private lookAt(session: http2.ServerHttp2Session, watched: Watched, now: number): void {
    if (session.destroyed) {
      closeIfStuck(watched, now, checkingInterval(this.limit('connectionsCheckingInterval')));
      return;
    }
    if (!watched.greeted) {
      const limit = this.limit('headersTimeout');
      if (limit > 0 && now - watched.since >= limit) session.destroy(undefined, NGHTTP2_SETTINGS_TIMEOUT);
      return;
    }
    const streams = streamsOfSession(session);
    if (streams.length === 0) {
      this.lookAtIdle(session, watched, now);
      return;
    }
    watched.since = now;
    for (const stream of streams) endIfReset(stream);
    this.lookAtRequests(streams, watched, now);
    // A listener of the program's may have destroyed it.
    if (!session.destroyed) endIfDead(session, watched);
  }

  private lookAtIdle(session: http2.ServerHttp2Session, watched: Watched, now: number): void {
    const { lastProcStreamID } = session.state;
    if (lastProcStreamID !== watched.last) watched.since = now;
    watched.last = lastProcStreamID;
    const limit = this.idleLimit();
    if (limit > 0 && now - watched.since >= limit) session.close();
  }

  private lookAtRequests(streams: readonly http2.ServerHttp2Stream[], watched: Watched, now: number): void {
    const limit = this.limit('requestTimeout');
    const before = watched.waiting;
    watched.waiting = new Map();
    for (const stream of streams) {
      if (!isWaiting(stream)) continue;
      const since = before.get(stream) ?? now;
      if (limit > 0 && now - since >= limit) timeOutRequest(stream);
      else watched.waiting.set(stream, since);
    }
  }
}

/**
 * A stream that its client resets with NO_ERROR, as Envoy does when its own client has left, stays for ever if octets of its request wait for a reader, and
 * before Node 26 if octets of its answer wait for its window. It keeps its session behind the client's end.
 */
function endIfReset(stream: http2.ServerHttp2Stream): void {
  if (!stream.closed || stream.destroyed) return;
  // The reset ends the writing side too. The request of an answer that has left may still be read.
  if (stream.writableFinished && !stream.aborted) return;
  if (stream.state.state === NGHTTP2_STREAM_STATE_IDLE) stream.destroy();
}

/**
 * A session that has sent GOAWAY because of an error of its client may stay open, with its streams, and stop reading: on Node 20 always, on newer ones if the
 * client has sent GOAWAY before. Neither the session nor its streams notice then that the client is gone.
 *
 * Such a session does not send the ping of the previous check, although its connection is writable: it
 * has sent nothing since. Otherwise send a ping for the next check.
 */
function endIfDead(session: http2.ServerHttp2Session, watched: Watched): void {
  const socket = socketOfSession(session);
  const sent = socket?.bytesWritten;
  const waits = Number(session.state.outboundQueueSize) > 0 && isAllWritten(socket);
  if (waits && sent === watched.sent) session.destroy();
  else session.ping(() => undefined);
  watched.sent = sent;
}

/**
 * The connection of a session that has ended is open until its client has read the rest and has closed its side. It is destroyed if neither
 * goes on for that long, as one of HTTP/1.
 */
function closeIfStuck(watched: Watched, now: number, limit: number): void {
  const { socket } = watched;
  const left = octetsLeft(socket);
  if (left !== watched.left) watched.since = now;
  else if (now - watched.since >= limit) socket?.destroy();
  watched.left = left;
}

function destroySocket(socket: Socket): void {
  socket.destroy();
}
