import { once } from 'node:events';
import type http = require('node:http');
import type { Socket } from 'node:net';
import type { Door } from '../support/doors.js';
import { maskDate } from '../support/both-doors.js';
import { RawClient } from '../support/raw-http.js';

/** The result of one connection: the calls of handlers, and what the client received. */
export interface Observation {
  readonly calls: readonly Call[];
  readonly wire: string;
  /** The server destroyed the connection because of invalid input. */
  readonly broken: boolean;
  /** The first fault reported to `'clientError'`: its code and message. */
  readonly fault?: string;
}

export interface Call {
  readonly method?: string;
  readonly url?: string;
  readonly version: string;
  readonly rawHeaders: readonly string[];
  readonly headers: readonly [name: string, value: unknown][];
  /** The code of what the answer's methods threw. */
  threw?: string;
  /** Undefined if the request was cut off: how much of it had arrived is chance. */
  body?: string;
  trailers?: readonly string[];
  ended: 'complete' | 'aborted' | 'never';
}

/** A server behind one door that notes the requests of its handlers by connection. */
export class Observer {
  private readonly calls = new Map<number, Call[]>();
  private readonly faults = new Map<number, string>();
  private readonly endings = new Map<number, (broken: boolean) => void>();

  private constructor(private readonly server: http.Server) {}

  /** @returns an observer that listens on 127.0.0.1 */
  static async open(door: Door): Promise<Observer> {
    const server = door.createServer({}, (req, res) => observer.note(req, res));
    const observer = new Observer(server);
    observer.overhear(server);
    server.on('connection', (socket) => {
      const port = socket.remotePort as number;
      socket.once('close', (broken: boolean) => observer.endings.get(port)?.(broken));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return observer;
  }

  /** Sends the pieces on a new connection and half-closes it. @returns the observation, once the server has closed the connection */
  async play(pieces: readonly Buffer[]): Promise<Observation> {
    const client = await RawClient.open(this.server);
    const port = client.socket.localPort as number;
    const calls: Call[] = [];
    this.calls.set(port, calls);
    const ended = new Promise<boolean>((resolve) => this.endings.set(port, resolve));
    try {
      for (const piece of pieces) await client.send(piece);
      client.finish();
      const wire = maskDate(await client.untilClose());
      const broken = await ended;
      await new Promise((resolve) => setImmediate(resolve));
      return { calls, wire, broken, fault: this.faults.get(port) };
    } catch (error) {
      return { calls, wire: `HANG: ${(error as Error).message}`, broken: false };
    } finally {
      this.calls.delete(port);
      this.faults.delete(port);
      this.endings.delete(port);
      client.drop();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** Not a listener: with a listener node would not answer by itself. */
  private overhear(server: http.Server): void {
    const { emit } = server;
    server.emit = (event: string, ...rest: unknown[]): boolean => {
      if (event === 'clientError') {
        const [{ code, message }, { remotePort: port }] = rest as [NodeJS.ErrnoException, Socket];
        if (port !== undefined && !this.faults.has(port)) this.faults.set(port, `${code}: ${message}`);
      }
      return Reflect.apply(emit, server, [event, ...rest]) as boolean;
    };
  }

  private note(req: http.IncomingMessage, res: http.ServerResponse): void {
    const call: Call = {
      method: req.method,
      url: req.url,
      version: req.httpVersion,
      ...fieldsOf(req),
      ended: 'never',
    };
    this.calls.get(req.socket.remotePort as number)?.push(call);
    // Answers at once, not after the body: with garbage behind a request it would be chance how much of it is answered.
    call.threw = answer(req, res);
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      call.ended = 'complete';
      call.body = Buffer.concat(parts).toString('latin1');
      call.trailers = req.rawTrailers;
    });
    req.on('error', () => {
      call.ended = 'aborted';
    });
  }
}

/** The fields in both forms; which of them is asked for first depends on the target. */
function fieldsOf(req: http.IncomingMessage): Pick<Call, 'headers' | 'rawHeaders'> {
  if ((req.url as string).length % 2 === 0) return { headers: Object.entries(req.headers), rawHeaders: req.rawHeaders };
  return { rawHeaders: req.rawHeaders, headers: Object.entries(req.headers) };
}

const STATUS = [200, 200, 404, 201, 304, 204];
/** Fields of a request that its answer repeats. */
const REPEATED = /^(?:x-|cookie$|user-agent$|accept)/i;

/**
 * Answers with what the request says, so that heads and bodies of answers differ as much as those of requests.
 * @returns the code of the first error
 */
function answer(
  { method, url, headers, rawHeaders }: http.IncomingMessage,
  res: http.ServerResponse,
): string | undefined {
  let threw: string | undefined;
  res.statusCode = STATUS[(rawHeaders.length / 2) % STATUS.length];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!REPEATED.test(rawHeaders[i])) continue;
    try {
      res.setHeader(`Of-${rawHeaders[i]}`, rawHeaders[i + 1]);
    } catch (error) {
      threw ??= (error as NodeJS.ErrnoException).code;
    }
  }
  res.end(`answer to ${method} ${url} from ${headers['user-agent'] ?? 'a client without a name'}`);
  return threw;
}
