import { once } from 'node:events';
import net = require('node:net');
import { bounded } from './bounded.js';

/** Types of frames (RFC 9113 §6). */
export const enum Frame {
  Data = 0,
  Headers = 1,
  RstStream = 3,
  Settings = 4,
  Ping = 6,
  GoAway = 7,
  WindowUpdate = 8,
  Continuation = 9,
}

export const END_STREAM = 1;
export const END_HEADERS = 4;
const ACK = 1;

export interface RawFrame {
  readonly type: Frame;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** @returns a frame's octets */
export function frame(type: Frame, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** @returns a header block of literal fields without indexing (RFC 7541 §6.2.2); names and values below 127 octets, or long values */
export function block(fields: Readonly<Record<string, string>>): Buffer {
  const text = (value: string): Buffer => {
    const octets = Buffer.from(value, 'latin1');
    if (octets.length < 127) return Buffer.concat([Buffer.from([octets.length]), octets]);
    const length = [127];
    let rest = octets.length - 127;
    for (; rest >= 128; rest = rest >> 7) length.push((rest & 127) | 128);
    length.push(rest);
    return Buffer.concat([Buffer.from(length), octets]);
  };
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** The block of a GET request. */
export function get(path = '/', more: Readonly<Record<string, string>> = {}): Buffer {
  return block({ ':method': 'GET', ':scheme': 'http', ':path': path, ':authority': 'raw', ...more });
}

/** A client that sends the given frames and keeps the received ones. */
export class RawHttp2 {
  readonly frames: RawFrame[] = [];
  closed = false;
  private rest: Buffer = Buffer.alloc(0);

  private constructor(
    readonly socket: net.Socket,
    private readonly settles: boolean,
  ) {
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
  }

  /** Opens a connection, and with `settles` a session. Without it nothing is sent, not even an acknowledgement of the server's settings. */
  static async open(server: net.Server, settles = true): Promise<RawHttp2> {
    const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const client = new RawHttp2(socket, settles);
    if (settles) client.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(Frame.Settings, 0, 0));
    return client;
  }

  send(...frames: Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(frames));
  }

  /** Waits for a frame of this type on this stream; undefined if the connection ends without one. @throws if neither happens in time */
  async until(type: Frame, stream = 0): Promise<RawFrame | undefined> {
    const what = (): string =>
      `a frame of type ${type} on stream ${stream}; received ${JSON.stringify(this.frames.map((each) => [each.type, each.stream]))}`;
    for (;;) {
      const found = this.frames.find((each) => each.type === type && each.stream === stream);
      if (found !== undefined || this.closed) return found;
      await bounded(Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]), what);
    }
  }

  async untilClosed(): Promise<void> {
    if (!this.closed) await bounded(once(this.socket, 'close'), () => 'the end of the connection');
  }

  drop(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= 9) {
      const length = this.rest.readUIntBE(0, 3);
      if (this.rest.length < 9 + length) return;
      const type: Frame = this.rest[3];
      const flags = this.rest[4];
      this.frames.push({ type, flags, stream: this.rest.readUInt32BE(5), payload: this.rest.subarray(9, 9 + length) });
      this.rest = this.rest.subarray(9 + length);
      if (this.settles && type === Frame.Settings && !(flags & ACK)) this.send(frame(Frame.Settings, ACK, 0));
    }
  }
}
