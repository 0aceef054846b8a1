import { Duplex } from 'node:stream';
import { kConnection, type EngineRequest, type NodeServer } from '../message.js';
import type { Clock } from './clock.js';
import type { Incoming } from './incoming.js';
import type { HttpSocket } from './socket-listeners.js';

/** A connection whose incoming message is its last one of HTTP. */
interface Leaving {
  readonly server: NodeServer;
  readonly socket: HttpSocket;
  readonly incoming: Incoming;
  readonly clock: Clock;
  /** Removes the listeners and leaves the socket as if it had never carried HTTP. */
  release(): void;
}

/**
 * A read of the upgrade request is handled: its listener gets the socket, or a stream in front of it while the request's body is still arriving.
 *
 * @param head the octets after the request, if it is complete
 */
export function leaveHttp(connection: Leaving, head: Buffer): void {
  const { server, socket, incoming, clock } = connection;
  const { stream } = incoming;
  const req = incoming.request!;
  if (req.complete) {
    incoming.headFollows();
    connection.release();
    if (stream !== null) stream.begin(head);
    else tellUpgrade(server, req, socket, head);
    return;
  }
  clock.messageIsDue();
  if (stream !== null) return;
  const given = new UpgradeStream(socket, req);
  incoming.giveStream(given);
  tellUpgrade(server, req, given, Buffer.alloc(0));
}

/**
 * A connection that leaves HTTP while the body of the upgrade request is still arriving (node has a class of this name).
 * Writes go through at once; reading starts after that body. If a program reads here but not the body, the body is read
 * and dropped, so that it does not wait for ever.
 */
class UpgradeStream extends Duplex {
  private readonly socket: HttpSocket;
  private request: EngineRequest | null;

  constructor(socket: HttpSocket, request: EngineRequest) {
    super({ allowHalfOpen: socket.allowHalfOpen });
    this.socket = socket;
    this.request = request;
    socket.on('error', (error: Error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.on('end', () => {
      this.push(null);
      // A socket emits its end even without a reader.
      if (this.readableLength === 0) this.resume();
    });
    this.on('close', () => socket.destroy());
  }

  /** The body is complete. @param head the octets that arrived after it */
  begin(head: Buffer): void {
    this.request = null;
    if (head.length > 0) this.receive(head);
    this.socket.on('data', (data: Buffer) => this.receive(data));
  }

  private receive(data: Buffer): void {
    if (!this.push(data)) this.socket.pause();
  }

  override _read(): void {
    this.request?.resume();
    this.socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy(error ?? undefined);
    done(error);
  }
}

/**
 * Passes a socket that leaves HTTP to the listener of `'upgrade'` or `'connect'`. @param head the octets after the
 * request
 */
function tellUpgrade(server: NodeServer, req: EngineRequest, stream: Duplex, head: Buffer): void {
  const { socket } = req[kConnection];
  const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  // As under node, it is neither flowing nor paused, so the next 'data' listener starts it.
  (socket as { readableFlowing: boolean | null }).readableFlowing = null;
  server.emit(event, req, stream, head);
}
