import { once } from 'node:events';
import http2 = require('node:http2');
import type http = require('node:http');
import type net = require('node:net');
import { isOurs } from '../../support/http2-server.js';
import { hearing, perform, type Seen, type Sides } from '../../support/plays.js';
import { nonstopHttp2 } from '../../support/subject.js';
import { sleep, Transcript, turn } from '../../support/transcript.js';
import { doors } from '../../support/doors.js';
import { listenForAnswer } from '../../support/http2-client.js';
import { handlersOf, type Exchange } from '../programs/play.js';
import { answerOver1, answerOver2, type Received } from './answer.js';
import { asProgram, endsWithHead, halvesOf, lastSteps, stepsOver1, type Last, type StreamProgram } from './program.js';

/** @returns the sides of a program: node:http over HTTP/1, and this package over HTTP/2 */
export function sidesOf(program: StreamProgram): Sides {
  const handler = handlersOf(asProgram(program));
  const [oracle] = doors;
  return [
    async () => answerOver1(await perform(oracle, { handler, steps: stepsOver1(program) }), program.method),
    () => {
      const streamed = new Streamed(program, handler);
      return hearing(streamed, () => streamed.run());
    },
  ];
}

/** After that many turns of the loop without an event nothing more is expected. */
const CALM_TURNS = 12;
/** Limit in ms for the time without an event; a play that is cut off notes it. */
const PATIENCE = 4_000;

let streams = 0;

/** @returns the number of streams that this package has served so far; one that it does not serve is an error */
export const servedStreams = (): number => streams;

/** A program on a stream, with its own server and session. Another stream of the session is answered behind the program. */
class Streamed extends Transcript {
  private readonly server: http2.Http2Server;
  private session: http2.ClientHttp2Session | undefined;
  private socket: net.Socket | undefined;
  private other: http.ServerResponse | undefined;

  constructor(
    private readonly program: StreamProgram,
    private readonly handler: (exchange: Exchange) => unknown,
  ) {
    super();
    this.server = nonstopHttp2().createServer({}, ((req: http.IncomingMessage, res: http.ServerResponse) =>
      this.handle(req, res)) as never);
    this.server.on('connection', (socket: net.Socket) => (this.socket = socket));
  }

  private handle(req: http.IncomingMessage, res: http.ServerResponse): unknown {
    if (!isOurs(req)) throw new Error('a request was made by node:http2');
    if (req.url === '/other') {
      this.other = res;
      return undefined;
    }
    streams++;
    this.names.set(req, '<req 0>').set(res, '<res 0>').set(req.socket, '<socket>');
    return this.handler({ req, res, stage: this, index: 0 });
  }

  async run(): Promise<Seen> {
    const { server } = this;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const session = http2.connect(`http://127.0.0.1:${port}`, {
      settings: { initialWindowSize: this.program.window },
    });
    session.on('error', () => undefined);
    this.session = session;
    try {
      await once(session, 'connect');
      const other = session.request({ ':path': '/other' });
      const others = listenForAnswer(other);
      await this.settled();
      const seen = await this.ask(session);
      this.other?.end('other');
      await this.settled();
      if (others().body.toString() !== 'other') this.note('play', 'another stream of the session is not answered');
      session.destroy();
      await this.settled();
      return { notes: this.notes, ...seen };
    } finally {
      this.over = true;
      session.destroy();
      server.close();
      for (let turns = 0; turns < CALM_TURNS; turns++) await turn();
    }
  }

  private async ask(session: http2.ClientHttp2Session): Promise<Received> {
    const { method, body } = this.program;
    const headers: http2.OutgoingHttpHeaders = { ':method': method, ':path': '/0', ':authority': 'a' };
    if (body.kind === 'length') headers['content-length'] = body.size;
    const isWhole = endsWithHead(body);
    const trails = body.kind === 'chunked' && body.trailer;
    const stream = session.request(headers, { endStream: isWhole, waitForTrailers: trails });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '5' }));
    const answer = listenForAnswer(stream);
    if (!isWhole) await this.send(stream);
    let seen: Received | undefined;
    for (const step of lastSteps(this.program)) {
      if (step === 'drop') seen = answerOver2(answer(), stream.closed);
      await this.take(stream, step);
    }
    await this.settled();
    return seen ?? answerOver2(answer(), stream.closed);
  }

  private async send(stream: http2.ClientHttp2Stream): Promise<void> {
    const { body } = this.program;
    const [first, second] = halvesOf(body);
    if (body.kind !== 'none' && body.atOnce) return void stream.end(first + second);
    await this.settled();
    if (first !== '' && stream.writable) stream.write(first);
    await this.settled();
    if (body.kind !== 'none' && body.second && stream.writable) stream.end(second);
  }

  private async take(stream: http2.ClientHttp2Stream, step: Last): Promise<void> {
    if (step === 'settle') await this.settled();
    else if (step === 'drop') stream.close(http2.constants.NGHTTP2_CANCEL);
    else await sleep(step.sleep);
  }

  private async settled(): Promise<void> {
    do await this.still();
    while (this.isCalm());
  }

  /** Resolves after some turns of the loop without any event or octet. */
  private async still(): Promise<void> {
    let lastMove = Date.now();
    let seen = '';
    for (let still = 0; still < CALM_TURNS || this.waits > 0;) {
      await (still > CALM_TURNS ? sleep(1) : turn());
      const { socket, session } = this;
      const client = session?.socket;
      const now = `${this.moves} ${socket?.bytesRead} ${socket?.bytesWritten} ${client?.bytesRead} ${client?.bytesWritten}`;
      if (now !== seen) lastMove = Date.now();
      else if (Date.now() - lastMove > PATIENCE) return this.note('play', 'does not settle');
      still = now === seen ? still + 1 : 0;
      seen = now;
    }
  }
}
