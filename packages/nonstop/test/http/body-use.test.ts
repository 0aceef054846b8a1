import type http = require('node:http');
import type { Socket } from 'node:net';
import { Readable, Writable, addAbortSignal, finished, pipeline } from 'node:stream';
import { eachSameThroughBothDoors, type Handler, type Log, type Scenario, type Stage } from '../support/both-doors.js';
import type { RawClient } from '../support/raw-http.js';

// All uses of a body's stream in a handler, with each way in which the body can arrive, with and without
// listeners. All events of the request and of the response go into one list, so their relative order is compared too.

type Act = (req: http.IncomingMessage, res: http.ServerResponse, log: Log) => unknown;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await turn();
};
const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | null)?.code ?? String(error);

function sink(taken: (octets: number) => void): Writable {
  let octets = 0;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      octets += chunk.length;
      done();
    },
    final(done) {
      taken(octets);
      done();
    },
  });
}

const destroys: Record<string, Act> = {
  'destroys it at once': (req) => req.destroy(),
  'destroys it with an error': (req) => req.destroy(new Error('of the handler')),
  'answers, then destroys it': (req, res) => {
    res.end('early');
    req.destroy();
  },
  'destroys it, then answers': (req, res) => {
    req.destroy();
    res.end('late');
  },
  'destroys it a turn later': async (req) => {
    await turn();
    req.destroy();
  },
  'answers a turn later, then destroys it': async (req, res) => {
    await turn();
    res.end('early');
    req.destroy();
  },
  'destroys it in its first data': (req) => req.once('data', () => req.destroy()),
  'destroys it a turn behind its first data, and answers at its end': (req, res) => {
    req.once('data', () => setImmediate(() => req.destroy()));
    req.on('end', () => res.end('whole'));
  },
  'answers and destroys it in its first data': (req, res) => {
    req.once('data', () => {
      res.end('early');
      req.destroy();
    });
  },
  'destroys it in its end': (req, res) => {
    req.resume().on('end', () => {
      req.destroy();
      res.end('late');
    });
  },
  'destroys its socket in its first data': (req) => req.once('data', () => req.socket.destroy()),
  'destroys the response in its first data': (req, res) => req.once('data', () => res.destroy()),
  'destroys it once its answer is finished': (req, res) => {
    res.on('finish', () => req.destroy());
    res.end('early');
  },
  'destroys it once its response is closed': (req, res) => {
    res.on('close', () => req.destroy());
    res.end('early');
  },
  'destroys it a turn behind the end of its answer': (req, res) => {
    res.on('close', () => setImmediate(() => req.destroy()));
    res.end('early');
  },
  'aborts it by a signal in its first data': (req, _res, log) => {
    const controller = new AbortController();
    addAbortSignal(controller.signal, req);
    req.on('error', (error) => log('act', 'error', codeOf(error)));
    req.once('data', () => controller.abort());
  },
};

const answers: Record<string, Act> = {
  'answers at once and reads nothing': (_req, res) => res.end('early'),
  'answers at once and reads on': (req, res, log) => {
    let octets = 0;
    req.on('data', (data: Buffer) => (octets += data.length));
    req.on('end', () => log('act', 'read', octets));
    res.end('early');
  },
  'answers a turn later and reads nothing': async (_req, res) => {
    await turn();
    res.end('early');
  },
  'answers at its first data and pauses it': (req, res) => {
    req.once('data', () => {
      req.pause();
      res.end('early');
    });
  },
  'answers at its first data and goes on': (req, res, log) => {
    let octets = 0;
    req.on('data', (data: Buffer) => {
      octets += data.length;
      if (!res.writableEnded) res.end('early');
    });
    req.on('end', () => log('act', 'read', octets));
  },
  'answers at once with Connection: close': (_req, res) => {
    res.setHeader('Connection', 'close');
    res.end('early');
  },
  'writes at once and ends at the end': (req, res) => {
    res.write('part ');
    req.resume().on('end', () => res.end('whole'));
  },
  'answers, then begins to read a turn later': async (req, res, log) => {
    res.end('early');
    await turn();
    req.on('data', (data: Buffer) => log('act', 'data', data.length));
    req.on('end', () => log('act', 'end'));
  },
};

const parts: Record<string, Act> = {
  'takes one piece and pipes the rest': (req, res) => {
    req.once('data', () => {
      req.pause();
      req.pipe(res);
    });
  },
  'reads three octets and pipes the rest': (req, res) => {
    req.once('readable', () => {
      req.read(3);
      req.pipe(res);
    });
  },
  'takes one piece, pauses, and pipes a turn later': (req, res) => {
    req.once('data', () => {
      req.pause();
      setImmediate(() => req.pipe(sink((octets) => res.end(`${octets}`))));
    });
  },
  'takes one piece, gives it back and pipes all': (req, res) => {
    req.once('data', (data: Buffer) => {
      req.pause();
      req.unshift(data);
      req.pipe(res);
    });
  },
  'pipes to one and then to another': (req, res) => {
    const first = sink(() => undefined);
    req.pipe(first);
    req.once('data', () => {
      req.unpipe(first);
      req.pipe(res);
    });
  },
  'stops listening and goes on a turn later': (req, res) => {
    const listener = (): void => {
      req.removeListener('data', listener);
      req.pause();
      setImmediate(() => req.resume());
    };
    req.on('data', listener);
    req.on('end', () => res.end('whole'));
  },
  'sets an encoding behind its first data': (req, res) => {
    let text = '';
    req.on('data', (data: Buffer | string) => {
      text += `${typeof data} ${data.length > 20 ? '' : String(data)};`;
      req.setEncoding('hex');
    });
    req.on('end', () => res.end(text.slice(0, 40)));
  },
  'iterates and leaves after one piece': async (req, res, log) => {
    try {
      for await (const data of req) {
        log('act', 'data', (data as Buffer).length > 0);
        break;
      }
    } catch (error) {
      log('act', 'threw', codeOf(error));
    }
    res.end('left');
  },
  'iterates, leaves after one piece and keeps it': async (req, res, log) => {
    try {
      for await (const data of req.iterator({ destroyOnReturn: false })) {
        log('act', 'data', (data as Buffer).length > 0);
        break;
      }
    } catch (error) {
      log('act', 'threw', codeOf(error));
    }
    req.pipe(res);
  },
  'iterates to the end': async (req, res, log) => {
    let octets = 0;
    try {
      for await (const data of req) octets += (data as Buffer).length;
    } catch (error) {
      log('act', 'threw', codeOf(error));
    }
    res.end(`${octets}`);
  },
  'gathers it by toArray()': async (req, res, log) => {
    try {
      res.end(`${Buffer.concat((await req.toArray()) as Buffer[]).length}`);
    } catch (error) {
      log('act', 'threw', codeOf(error));
      res.end('not all');
    }
  },
  'reads it as a web stream': async (req, res, log) => {
    try {
      const web = Readable.toWeb(req) as unknown as ConstructorParameters<typeof Response>[0];
      res.end(`${(await new Response(web).text()).length}`);
    } catch (error) {
      log('act', 'threw', codeOf((error as Error).cause ?? error));
      res.end('not all');
    }
  },
  'pipes into something that fails': (req, res, log) => {
    const failing = new Writable({ write: (_data, _encoding, done) => done(new Error('of the sink')) });
    pipeline(req, failing, (error) => {
      log('act', 'pipeline', error?.message);
      res.end('failed');
    });
  },
  'reads and waits for stream.finished': (req, res, log) => {
    finished(req, (error) => {
      log('act', 'finished', error?.code);
      res.end('over');
    });
    req.resume();
  },
  'reads and answers with the trailers': (req, res) => {
    req.resume().on('end', () => res.end(JSON.stringify([req.trailers, req.rawTrailers, req.complete])));
  },
};

interface Delivery {
  readonly send: readonly string[];
  /** `probe`: sends one more request, which must be answered or refused as under node. */
  readonly then: 'probe' | 'finish' | 'drop';
}

const head = (...fields: string[]): string => ['POST / HTTP/1.1', 'Host: a', ...fields, '', ''].join('\r\n');
const ten = head('Content-Length: 10');
const chunked = head('Transfer-Encoding: chunked');
const NEXT = 'GET /probe HTTP/1.1\r\nHost: probe\r\n\r\n';
const LAST = 'GET /probe HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n';

const deliveries: Record<string, Delivery> = {
  'in one read': { send: [`${ten}helloworld`], then: 'probe' },
  'in one read, of no octets': { send: [head('Content-Length: 0')], then: 'probe' },
  'behind its head': { send: [ten, 'helloworld'], then: 'probe' },
  'in three parts': { send: [`${ten}he`, 'llow', 'orld'], then: 'probe' },
  'in front of another request': { send: [`${ten}he`, `lloworld${NEXT}`], then: 'probe' },
  'in chunks with trailers': {
    send: [`${chunked}5\r\nhello\r\n`, '5\r\nworld\r\n0\r\nX-T: 1\r\n\r\n'],
    then: 'probe',
  },
  'after a 100': { send: [head('Content-Length: 10', 'Expect: 100-continue'), 'hello', 'world'], then: 'probe' },
  'as 300 kB': {
    send: [head('Content-Length: 300000'), ...Array.from({ length: 3 }, () => 'x'.repeat(100_000))],
    then: 'probe',
  },
  'half, then FIN': { send: [`${ten}he`, 'llo'], then: 'finish' },
  'half, then the client is gone': { send: [`${ten}he`, 'llo'], then: 'drop' },
  'with a chunk that is longer than said': { send: [`${chunked}5\r\nhello\r\n`, '5\r\nworldx\r\n'], then: 'probe' },
  'longer than said': { send: [`${ten}hello`, 'world, and more\r\n\r\n'], then: 'probe' },
};

const states = (req: http.IncomingMessage, res: http.ServerResponse): unknown => ({
  req: [req.aborted, req.complete, req.destroyed, req.closed, req.readableEnded, req.readableAborted, req.readable],
  flowing: req.readableEnded || req.readableFlowing,
  errored: req.errored === null ? null : codeOf(req.errored),
  res: [res.headersSent, res.writableEnded, res.writableFinished, res.destroyed, res.closed],
  // stream.pipeline() takes away a request's socket.
  socket: [(req.socket as Socket | null)?.destroyed, res.socket === null],
});

function hear(req: http.IncomingMessage, res: http.ServerResponse, log: Log): void {
  for (const event of ['end', 'aborted', 'close'])
    req.on(event, () => log('both', `req ${event}`, [req.complete, req.destroyed, res.writableFinished]));
  req.on('error', (error) => log('both', 'req error', codeOf(error)));
  for (const event of ['finish', 'close'])
    res.on(event, () => log('both', `res ${event}`, [req.destroyed, req.complete]));
  res.on('error', (error) => log('both', 'res error', codeOf(error)));
}

/** Resolves after some turns of the event loop without data or events. */
async function quiet(client: RawClient, count: () => number): Promise<void> {
  let before = -1;
  for (let still = 0; still < 20; still++) {
    const now = count() + client.received.length;
    if (now !== before) still = 0;
    before = now;
    await turn();
  }
}

function scenario(does: string, act: Act, arrives: string, { send, then }: Delivery, heard: boolean): Scenario {
  const exchanges: [http.IncomingMessage, http.ServerResponse][] = [];
  let happened = 0;
  const handler: Handler = (req, res, note) => {
    const log: Log = (...what) => {
      happened++;
      note(...what);
    };
    exchanges.push([req, res]);
    if (heard) hear(req, res, log);
    return act(req, res, log);
  };
  const talk = async (client: RawClient, stage: Stage): Promise<void> => {
    exchanges.length = 0;
    for (const piece of send) {
      // The empty second piece waits until the first has been read.
      await stage.sendEach(client, [piece, '']);
      await turns(3);
    }
    if (then === 'drop') client.drop();
    else if (then === 'finish') client.finish();
    else await client.send(LAST);
    // If the handler leaves the body unread, node closes the connection only after keepAliveTimeout, or by closeAllConnections().
    await quiet(client, () => happened);
    stage.server.closeAllConnections();
    await client.untilClose();
    await turns(1);
    // An unread request ends on the first use of its stream (docs/compat).
    for (const [req] of exchanges) void req.destroyed;
    await turns(6);
    for (const [req, res] of exchanges) stage.log('in the end', 'states', states(req, res));
  };
  return {
    name: `a handler that ${does}, ${heard ? 'heard' : 'not heard'}: a body that comes ${arrives}`,
    handler,
    talk,
    ignoreWire: then === 'drop',
    setup: (server, log) => {
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
        else socket.destroy();
      });
    },
  };
}

/** Combinations that are lines of docs/compat: the unread part of a request is discarded once its answer has been sent. */
function isApart(does: string, arrives: string, heard: boolean): boolean {
  if (heard) return false;
  if (does.includes('then begins to read')) return arrives.startsWith('in one read');
  return arrives === 'in one read' && /once its (?:answer|response)/.test(does);
}

const scenarios = Object.entries({ ...destroys, ...answers, ...parts }).flatMap(([does, act]) =>
  Object.entries(deliveries).flatMap(([arrives, delivery]) =>
    [true, false]
      .filter((heard) => !isApart(does, arrives, heard))
      .map((heard) => scenario(does, act, arrives, delivery, heard)),
  ),
);

eachSameThroughBothDoors(scenarios);
