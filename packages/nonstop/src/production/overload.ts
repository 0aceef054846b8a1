import type http from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Held } from './held.js';
import type { Settings } from './options.js';

type Limits = Pick<Settings, 'maxRequests' | 'maxDelay' | 'maxPerAddress' | 'clientAddress' | 'retryAfter'>;

/** Why a request was refused, for the metrics. */
export type Refusal = 'requests' | 'delay' | 'address';

/** Interval of the check of the event loop's delay, in milliseconds. */
const PERIOD = 20;

/** Paths of health checks, which are always answered. */
const EXCEPTED = new Set(['/livez', '/readyz', '/healthz', '/health']);

const kAddress: unique symbol = Symbol('nonstop.address');

/** A response of HTTP/2 with its client's address: a proxy has streams of many clients in one session. */
type Counted = http.ServerResponse & { [kAddress]?: string | undefined };

/** Refuses new requests, and upgrades, while a process is overloaded. */
export class Gate {
  /** Number of refused requests, by reason. */
  readonly refused: Record<Refusal, number> = { requests: 0, delay: 0, address: 0 };
  private readonly limits: Limits;
  private readonly perAddress = new Map<string, number>();
  private readonly inHand: () => number;
  /** The wait of a connection for a worker, reported by the supervisor, in milliseconds. */
  waited = 0;
  private delay = 0;
  private looked = performance.now();
  private readonly timer: NodeJS.Timeout;

  /** @param inHand returns the number of requests under way, including the current one */
  constructor(limits: Limits, inHand: () => number) {
    this.limits = limits;
    this.inHand = inHand;
    this.timer = setInterval(() => this.look(performance.now()), PERIOD);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Resets the delay: the time for loading an application is not overload. */
  begin(): void {
    this.delay = 0;
    this.looked = performance.now();
  }

  /** The delay rises at once and halves each period, so a short pause in a long overload lets no request in. */
  private look(now: number): void {
    const late = now - this.looked - PERIOD;
    this.looked = now;
    this.delay = Math.max(late, this.delay / 2, 0);
  }

  /**
   * Answers a request that is over a limit.
   *
   * @returns whether it was refused
   */
  refuses(held: Held, req: http.IncomingMessage, res: http.ServerResponse, now: number): boolean {
    const mine = this.limits.maxPerAddress === 0 ? 0 : this.enter(held, req, res);
    const reason = this.reasonAgainst(req, { mine, all: this.inHand() }, now);
    if (reason === undefined) return false;
    this.refused[reason]++;
    // The client may or may not send the body, so the start of the next request is not known.
    if (req.headers.expect !== undefined) res.shouldKeepAlive = false;
    const { status, fields, text } = this.answerFor(reason);
    res.writeHead(status, fields);
    res.end(text);
    return true;
  }

  /**
   * Answers a request for an upgrade, or CONNECT, that is over a limit, and closes its connection. Requests under way count
   * against it. It is not counted later: the number of open connections is not limited.
   *
   * @returns whether it was refused
   */
  refusesUpgrade(req: http.IncomingMessage, socket: Duplex, now: number): boolean {
    const mine = this.limits.maxPerAddress === 0 ? 0 : (this.perAddress.get(this.addressOf(req)) ?? 0) + 1;
    const reason = this.reasonAgainst(req, { mine, all: this.inHand() + 1 }, now);
    if (reason === undefined) return false;
    this.refused[reason]++;
    const { status, fields, text } = this.answerFor(reason);
    const lines = Object.entries({ ...fields, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    // node has removed its 'error' listener from this socket.
    socket.on('error', () => socket.destroy());
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${text}\r\n${lines.join('')}\r\n${text}`);
    return true;
  }

  /** @param under how many requests are under way: of its client, and of all, this one among them */
  private reasonAgainst(
    { url }: http.IncomingMessage,
    under: { readonly mine: number; readonly all: number },
    now: number,
  ): Refusal | undefined {
    const { maxRequests, maxDelay, maxPerAddress } = this.limits;
    if (EXCEPTED.has(pathOf(url))) return undefined;
    if (under.mine > maxPerAddress) return 'address';
    if (maxRequests !== 0 && under.all > maxRequests) return 'requests';
    if (maxDelay !== 0 && this.lateness(now) > maxDelay) return 'delay';
    return undefined;
  }

  private lateness(now: number): number {
    // The last value is the delay that the timer would measure now if it had run.
    return Math.max(this.delay, this.waited, now - this.looked - PERIOD);
  }

  private answerFor(reason: Refusal): { status: number; fields: Record<string, string | number>; text: string } {
    const status = reason === 'address' ? 429 : 503;
    const text = status === 429 ? 'Too Many Requests' : 'Service Unavailable';
    const fields = {
      'Retry-After': String(this.limits.retryAfter),
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': text.length,
    };
    return { status, fields, text };
  }

  /** @returns how many requests the client has under way, this one among them */
  private enter(held: Held, req: http.IncomingMessage, res: http.ServerResponse): number {
    let address = this.addressOf(req);
    if (held.session !== undefined) (res as Counted)[kAddress] = address;
    // All requests of an HTTP/1 connection count for the address of the first one under way: `leave` knows only that.
    else address = held.address ??= address;
    const mine = (this.perAddress.get(address) ?? 0) + 1;
    this.perAddress.set(address, mine);
    return mine;
  }

  /** A request of the connection is over. */
  leave(held: Held, res: http.ServerResponse): void {
    const { address = (res as Counted)[kAddress] } = held;
    if (address === undefined) return;
    if (held.session !== undefined) (res as Counted)[kAddress] = undefined;
    const left = (this.perAddress.get(address) ?? 1) - 1;
    if (left === 0) this.perAddress.delete(address);
    else this.perAddress.set(address, left);
    if (held.current === null) held.address = undefined;
  }

  private addressOf(req: http.IncomingMessage): string {
    const forwarded = this.limits.clientAddress === 'forwarded' ? req.headers['x-forwarded-for'] : undefined;
    const last = String(forwarded ?? '')
      .split(',')
      .at(-1)!
      .trim();
    return clientOf(last !== '' ? last : (req.socket.remoteAddress ?? ''));
  }
}

/**
 * The client of an address. For IPv6 it is the /64 network, because a client can use all its addresses. A port that some proxies add is left
 * out; IPv4 in IPv6 becomes IPv4.
 */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const bare = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(address);
  const host = bare?.[1] ?? bare?.[2] ?? address;
  if (!isIPv6(host)) return host;
  // The URL parser writes each address in one way (RFC 5952); it knows no zones.
  const [before, behind] = new URL(`http://[${host.split('%', 1)[0]}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [groupsOf(before), groupsOf(behind)];
  if (first.length === 0 && last.length === 3 && last[0] === 'ffff') {
    const [high, low] = last.slice(1).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

function groupsOf(part: string | undefined): string[] {
  return part ? part.split(':') : [];
}

function pathOf(url: string | undefined): string {
  const query = url?.indexOf('?') ?? -1;
  return query === -1 ? (url ?? '') : url!.slice(0, query);
}
