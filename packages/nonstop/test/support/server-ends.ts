import type http = require('node:http');
import type net = require('node:net');
import type { RawClient } from './raw-http.js';

/** A socket with node's own object for it, which shows whether the kernel is being read. */
interface Read extends net.Socket {
  readonly _handle?: { readonly reading: boolean } | null;
}

/** No piece takes this long to be read, even on a busy machine: a longer wait is a hang. */
const HANG_MS = 15_000;

/**
 * The server's ends of its connections, which are in the same process as the clients. The number of octets read at one end tells the
 * other when to send the next piece; otherwise the kernel sometimes joins pieces, and the split has no effect.
 */
export class ServerEnds {
  private readonly ends = new Map<number, Read>();

  /** Called for every connection that `server` accepts from now on. */
  constructor(server: http.Server) {
    server.on('connection', (socket: Read) => this.ends.set(socket.remotePort as number, socket));
  }

  /**
   * Waits until the server has read all that `client` has sent, or has stopped reading.
   *
   * @returns false if the connection is closed: more octets would only turn its end into a reset
   * @throws if neither happens in time
   */
  async haveRead(client: RawClient): Promise<boolean> {
    const { localPort, bytesWritten } = client.socket;
    const patience = Date.now() + HANG_MS;
    for (;;) {
      const end = this.ends.get(localPort as number);
      if (client.socket.destroyed || end?.destroyed) return false;
      if (end !== undefined && (end.bytesRead >= bytesWritten || end._handle?.reading === false)) return true;
      if (Date.now() > patience) throw new Error(`the server has not read ${bytesWritten} octets in ${HANG_MS} ms`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
