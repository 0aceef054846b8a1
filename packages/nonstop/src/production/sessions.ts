/** What is used of a session of HTTP/2; this layer does not load `node:http2`. */
export interface Session {
  readonly closed: boolean;
  readonly destroyed: boolean;
  readonly socket: object;
  goaway(code: number, lastStream: number): void;
  ping(answered: () => void): boolean;
  close(): void;
  destroy(): void;
}

const NO_ERROR = 0;

/** GOAWAY contains the last accepted stream; node inserts it for 0. */
const LAST_TAKEN = 0;

/** Time limit for clients that do not answer a ping after GOAWAY, such as node's. In milliseconds; a round trip takes less. */
const READ_BY_THEN = 1000;

/**
 * Ends a session (RFC 9113 §6.8): GOAWAY tells the client to open no more streams. Streams under way are served. A stream that arrives later is
 * not served; the client knows by the number in the frame that it can repeat the request elsewhere. The connection ends when the client has
 * read GOAWAY: data that arrives at a closed connection destroys what its client has not read yet (nodejs/node#60617).
 *
 * A first GOAWAY that promises to serve all streams on their way is not possible: after any GOAWAY of node's nghttp2 accepts no new stream.
 */
export function endSession(session: Session): void {
  if (session.closed || session.destroyed) return;
  session.goaway(NO_ERROR, LAST_TAKEN);
  const close = (): void => {
    clearTimeout(late);
    if (!session.destroyed) session.close();
  };
  const late = setTimeout(close, READ_BY_THEN).unref();
  // In a later turn, when GOAWAY was sent: nghttp2 sends a ping before waiting frames.
  setImmediate(() => {
    if (!session.destroyed) session.ping(close);
  });
}
