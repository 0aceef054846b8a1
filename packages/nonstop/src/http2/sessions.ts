import type http2 = require('node:http2');
import type { Http2Server } from './node-http2.js';

/** The sessions of one server, for the server to end them: node's list of its own is new in Node 24. */
export class Sessions {
  private readonly open = new Set<http2.ServerHttp2Session>();

  constructor(server: Http2Server) {
    server.on('session', (session: http2.ServerHttp2Session) => {
      this.open.add(session);
      session.once('close', () => this.open.delete(session));
    });
  }

  /** A session that was there before anybody kept a list. */
  add(session: http2.ServerHttp2Session): void {
    if (this.open.has(session) || session.destroyed) return;
    this.open.add(session);
    session.once('close', () => this.open.delete(session));
  }

  /** GOAWAY: what is under way is served, and the session ends with the last of its streams (RFC 9113 §6.8). */
  close(): void {
    for (const session of this.open) session.close();
  }

  destroy(): void {
    for (const session of this.open) session.destroy();
  }
}
