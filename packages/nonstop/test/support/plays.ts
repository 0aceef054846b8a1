import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { maskDate } from './both-doors.js';
import { doors, type Door } from './doors.js';
import { shape } from './shape.js';
import { sleep, Transcript, turn, type Notes } from './transcript.js';

/** The request and the response of one exchange, and functions that act on them and note the results. */
export interface Scene {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly stage: Stage;
  /** The number of the request on its connection, from 0; the probe does not count. */
  readonly index: number;
}

export interface Stage extends Transcript {
  readonly server: http.Server;
  /** Resolves after some turns of the loop without any event, if no waits other than `own` are pending. */
  settled(own?: number): Promise<void>;
  /** Sends more octets, if the connection is still open. */
  send(text: string): void;
}

/** The client's next steps. A step is left out if the server has closed the connection before. */
export type Step =
  | { readonly send: string; readonly await: 'read' | 'settled' | 'nothing' }
  | 'settle'
  | 'probe'
  | 'finish'
  | 'drop'
  | 'reset'
  | 'stop reading'
  | 'read on'
  | { readonly sleep: number };

export interface Play {
  readonly options?: http.ServerOptions;
  readonly setup?: (server: http.Server, stage: Stage) => void;
  /** Calls the server's `listen()`, in a context of the play's own. */
  readonly around?: ((listen: () => void) => void) | undefined;
  /** Not called for the probe, `GET /probe`, which is answered with "probed". */
  readonly handler: (scene: Scene) => unknown;
  readonly steps: readonly Step[];
}

/** The result of a play through one door. */
export interface Seen {
  readonly notes: Notes;
  /** The octets that the client received, as latin1 without the value of Date. */
  readonly wire: string;
  /** The state of the connection at the end: `open` if the client had to end it. */
  readonly ending: 'end' | 'reset' | 'open';
}

export const PROBE = 'GET /probe HTTP/1.1\r\nHost: probe\r\n\r\n';

/** After that many turns of the loop without an event nothing more is expected, unless octets are under way. */
const MOST_TURNS = 100;
const CALM_TURNS = 4;
/** Limit in ms for the time without an event; a play that is cut off notes it. */
const PATIENCE = 4_000;

/** The current plays. An uncaught error is noted for each of them, because its origin is unknown. */
const underWay = new Set<Transcript>();

/** A play that runs alone: the others start when it has ended. */
let alone: Promise<unknown> = Promise.resolve();

/** Plays through both doors at once. @returns the notes of node:http and of the engine */
export function performBoth(play: () => Play): Promise<[node: Seen, engine: Seen]> {
  return atOnce(throughDoors(play));
}

/** Two ways of playing the same. */
export type Sides = readonly [first: () => Promise<Seen>, second: () => Promise<Seen>];

/** @returns the sides on which node:http and the engine serve a play */
export const throughDoors = (play: () => Play): Sides => [
  () => perform(doors[0], play()),
  () => perform(doors[1], play()),
];

/**
 * Plays both sides at once. After an uncaught error during several plays, each side is played again alone to find its
 * origin.
 */
export async function atOnce(sides: Sides): Promise<[first: Seen, second: Seen]> {
  await alone;
  const seen = await Promise.all([sides[0](), sides[1]()]);
  if (!seen.some(({ notes }) => notes['uncaught'] !== undefined)) return seen;
  return oneByOne(sides);
}

/** Plays one side after the other, while nothing else runs. */
export function oneByOne(sides: Sides): Promise<[first: Seen, second: Seen]> {
  const turn = alone.then(async (): Promise<[Seen, Seen]> => {
    while (underWay.size > 0) await new Promise((resolve) => setImmediate(resolve));
    return [await sides[0](), await sides[1]()];
  });
  alone = turn.catch(() => undefined);
  return turn;
}

/** Plays through one door, on its own server and connection. */
export function perform(door: Door, play: Play): Promise<Seen> {
  const staged = new Staged(door, play);
  return hearing(staged, () => staged.run());
}

/** Runs a play whose uncaught errors are noted. */
export async function hearing(each: Transcript, run: () => Promise<Seen>): Promise<Seen> {
  if (!process.hasUncaughtExceptionCaptureCallback()) {
    process.setUncaughtExceptionCaptureCallback((error) => {
      for (const one of underWay) one.note('uncaught', shape(error, one.names));
    });
  }
  underWay.add(each);
  try {
    return await run();
  } finally {
    underWay.delete(each);
  }
}

class Staged extends Transcript implements Stage {
  readonly server: http.Server;
  private client: net.Socket | undefined;
  private socket: (net.Socket & { _handle?: { reading: boolean; bytesWritten: number } | null }) | undefined;
  private received: Buffer[] = [];
  private receivedOctets = 0;
  private ending: Seen['ending'] = 'open';
  private clientEnded = false;
  private stopped = false;
  private index = 0;

  constructor(
    door: Door,
    private readonly play: Play,
  ) {
    super();
    this.server = door.createServer(play.options ?? {}, (req, res) => this.handle(req, res));
    this.names.set(this.server, '<server>');
    this.server.on('connection', (socket: net.Socket) => {
      this.socket = socket;
      this.names.set(socket, '<socket>');
    });
    play.setup?.(this.server, this);
  }

  send(text: string): void {
    const { client } = this;
    if (client === undefined || this.clientEnded || !client.writable || this.socket?.destroyed === true) return;
    client.write(text, 'latin1');
  }

  async settled(own = 0): Promise<void> {
    do await this.still(own);
    while (this.isCalm());
  }

  private async still(own: number): Promise<void> {
    let lastMove = Date.now();
    let seen = '';
    for (let still = 0; still < this.turnsToWait() || this.waits > own;) {
      await (still > MOST_TURNS ? sleep(1) : turn());
      const now = `${this.moves} ${this.socket?.bytesRead} ${this.socket?.bytesWritten} ${this.receivedOctets} ${this.ending}`;
      if (now !== seen) lastMove = Date.now();
      else if (Date.now() - lastMove > PATIENCE) return this.note('play', 'does not settle');
      still = now === seen ? still + 1 : 0;
      seen = now;
    }
  }

  /** Number of turns without an event after which nothing more is expected. Octets under way are always awaited. */
  private turnsToWait(): number {
    if (this.isQuiet()) return CALM_TURNS;
    return this.areOctetsUnderWay() ? Infinity : MOST_TURNS;
  }

  // On a busy machine octets may need longer from socket to socket than many turns of the loop take.
  private areOctetsUnderWay(): boolean {
    const { client, socket } = this;
    if (client === undefined || client.destroyed || this.stopped) return false;
    if (socket === undefined || !this.hasRead(client)) return true;
    return !this.clientEnded && this.receivedOctets < (socket._handle?.bytesWritten ?? 0);
  }

  async run(): Promise<Seen> {
    const { server } = this;
    const listen = (): void => void server.listen(0, '127.0.0.1');
    if (this.play.around === undefined) listen();
    else this.play.around(listen);
    await once(server, 'listening');
    const client = await this.connect();
    try {
      for (const step of this.play.steps) await this.take(client, step);
      await this.settled();
      const { ending } = this;
      const wire = maskDate(Buffer.concat(this.received));
      client.destroy();
      if (this.socket?.destroyed === false) await this.closed(this.socket);
      await this.settled();
      return { notes: this.notes, wire, ending };
    } finally {
      this.over = true;
      client.destroy();
      server.closeAllConnections();
      server.close();
      await this.left();
    }
  }

  /** Waits for the handlers' reactions to the closing connection, so that their errors count for this play, not the next one. */
  private async left(): Promise<void> {
    if (this.socket !== undefined) await this.closed(this.socket);
    for (let turns = 0; turns < CALM_TURNS; turns++) await turn();
  }

  private handle(req: http.IncomingMessage, res: http.ServerResponse): unknown {
    if (req.url === '/probe') return res.end('probed');
    const index = this.index++;
    this.names.set(req, `<req ${index}>`).set(res, `<res ${index}>`);
    return this.play.handler({ req, res, stage: this, index });
  }

  private async connect(): Promise<net.Socket> {
    const { port } = this.server.address() as net.AddressInfo;
    const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.client = client;
    client.on('data', (chunk: Buffer) => {
      this.received.push(chunk);
      this.receivedOctets += chunk.byteLength;
    });
    client.on('end', () => {
      this.ending = 'end';
      this.clientEnded = true;
      client.end();
    });
    client.on('error', () => (this.ending = 'reset'));
    client.on('close', () => (this.clientEnded = true));
    await once(client, 'connect');
    return client;
  }

  private async take(client: net.Socket, step: Step): Promise<void> {
    if (typeof step === 'object') {
      if ('sleep' in step) return void (await new Promise((resolve) => setTimeout(resolve, step.sleep)));
      if (step.await === 'settled') await this.settled();
      else if (step.await === 'read') await this.haveRead(client);
      return this.send(step.send);
    }
    switch (step) {
      case 'settle':
        return await this.settled();
      case 'probe':
        return this.send(PROBE);
      case 'finish':
        return void client.end();
      case 'drop':
        return void client.destroy();
      case 'reset':
        return void client.resetAndDestroy();
      case 'stop reading':
        this.stopped = true;
        return void client.pause();
      case 'read on':
        this.stopped = false;
        return void client.resume();
    }
  }

  private async haveRead(client: net.Socket): Promise<void> {
    const started = Date.now();
    for (let turns = 0; !this.hasRead(client) && Date.now() - started < PATIENCE; turns++)
      await (turns > MOST_TURNS ? sleep(1) : turn());
  }

  private hasRead(client: net.Socket): boolean {
    const { socket } = this;
    if (socket === undefined) return client.destroyed;
    return socket.destroyed || socket.bytesRead >= client.bytesWritten || socket._handle?.reading === false;
  }

  private isQuiet(): boolean {
    const { client, socket } = this;
    if (client === undefined || socket === undefined) return client?.destroyed ?? false;
    if (!this.hasRead(client)) return false;
    if (client.destroyed) return socket.destroyed;
    if (this.stopped) return true;
    if (socket.destroyed || socket.writableFinished) return this.clientEnded;
    if (client.writableEnded && !socket.readableEnded && socket._handle?.reading === true) return false;
    return this.receivedOctets >= socket.bytesWritten;
  }

  private async closed(socket: net.Socket): Promise<void> {
    for (let turns = 0; turns < MOST_TURNS && !socket.destroyed; turns++) await turn();
  }
}
