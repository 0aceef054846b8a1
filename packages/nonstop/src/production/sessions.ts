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

/** GOAWAY names the last stream that was taken. Given 0 node fills that in. */
const LAST_TAKEN = 0;

/** For clients that answer no ping behind GOAWAY, such as node's own. In milliseconds; a round trip takes less. */
const READ_BY_THEN = 1000;

/**
 * Ends a session (RFC 9113 §6.8): GOAWAY tells the client to open no more streams. Those that are under way are served; one that was on its way is
 * not begun, and the client knows by the number in the frame that it may send it again elsewhere. Only when the client has read GOAWAY may the
 * connection end: what arrives at one that is closed destroys what its client has not read (nodejs/node#60617).
 *
 * node cannot promise to serve what is on its way, as a first GOAWAY for all streams would: nghttp2 takes none behind any GOAWAY of node's.
 */
export function endSession(session: Session): void {
  if (session.closed || session.destroyed) return;
  session.goaway(NO_ERROR, LAST_TAKEN);
  const close = (): void => {
    clearTimeout(late);
    if (!session.destroyed) session.close();
  };
  const late = setTimeout(close, READ_BY_THEN).unref();
  // Sent by then: nghttp2 puts a ping in front of all that waits.
  setImmediate(() => {
    if (!session.destroyed) session.ping(close);
  });
}
