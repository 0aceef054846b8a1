import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Framework } from '../../support/framework.js';
import { hasOwn, octetsOf, othersThan, ownerOf } from './marks.js';
import type { World } from './world.js';

type Req = http.IncomingMessage;
type Res = http.ServerResponse;

/** An error that a handler throws on purpose. */
export class Planned extends Error {}

const targetOf = (req: Req): string[] => (req.url ?? '').split('?', 1)[0].split('/').slice(1);

/** Notes each octet of a request that is not its own, then spoils what the program was given. */
function inspect(world: World, req: Req): string {
  world.touch();
  const [mark, behaviour] = targetOf(req);
  world.handled.set(behaviour, (world.handled.get(behaviour) ?? 0) + 1);
  const { headers, headersDistinct, method, url, socket } = req;
  // Some look at one thing alone: the engine makes each of them when it is read.
  const seen = world.random.pick([
    () => [headers['x-mark'], headers.cookie],
    () => [req.rawHeaders, url],
    () => [headersDistinct, headers],
    () => [method, url, headers, req.rawHeaders, headersDistinct],
  ])();
  const text = JSON.stringify(seen);
  for (const other of othersThan(mark, text)) world.fault(`${mark} has ${other}: ${text}`);
  if (!hasOwn(mark, text)) world.fault(`${mark} does not have its own: ${text}`);
  if (headers['x-poison'] !== undefined || req.rawHeaders.includes('X-Poison'))
    world.fault(`${mark} has a field that another request was given`);
  const owner = world.owners.get(`${socket.remotePort} ${socket.localPort}`);
  if (owner !== undefined && owner !== ownerOf(mark)) world.fault(`${mark} is on the connection of ${owner}`);
  if (world.random.chance(0.5)) {
    headers['x-poison'] = mark;
    req.rawHeaders.push('X-Poison', mark);
    headersDistinct['x-poison'] = [mark];
  }
  return mark;
}

function checkBody(world: World, req: Req, mark: string, octets: number): void {
  const { 'x-length': wanted } = req.headers;
  if (Number(wanted) !== octets)
    world.fault(`${mark} got ${octets} octets of ${String(wanted)}: ${req.method} ${req.url}`);
  const others = othersThan(mark, JSON.stringify([req.trailers, req.rawTrailers]));
  if (others.length !== 0) world.fault(`${mark} has trailers of ${others.join()}`);
}

/** Answers in one of the ways that a program has. */
function answer(world: World, req: Req, res: Res): void {
  const [mark, , size] = targetOf(req);
  const body = octetsOf(mark, Number(size));
  world.touch();
  res.setHeader('X-Mark', mark);
  const way = world.random.below(5);
  if (way === 0) res.end(body);
  else if (way === 1) res.end(body.toString('latin1'));
  else if (way === 2) {
    res.setHeader('Content-Length', body.length);
    res.writeHead(200, { 'X-Again': mark });
    res.write(body.subarray(0, body.length >> 1));
    setImmediate(() => res.end(body.subarray(body.length >> 1)));
  } else {
    const cut = world.random.below(body.length + 1);
    if (cut > 0) res.write(body.subarray(0, cut));
    world.touch();
    if (cut < body.length) res.write(body.subarray(cut).toString('latin1'));
    if (way === 3) res.end();
    else process.nextTick(() => res.end());
  }
}

type Behaviour = (world: World, req: Req, res: Res) => void;

function byData(world: World, req: Req, done: () => void, each?: () => void): void {
  const [mark] = targetOf(req);
  let octets = 0;
  req.on('data', (piece: Buffer) => {
    const { length } = piece;
    world.touch();
    world.use(mark, octets, piece);
    octets += length;
    each?.();
  });
  req.on('end', () => {
    checkBody(world, req, mark, octets);
    world.touch();
    done();
  });
}

/** Throws once the answer is given, so that the client need not wait. */
const throwing = (): never => {
  throw new Planned();
};

const behaviours: Readonly<Record<string, Behaviour>> = {
  data: (world, req, res) => byData(world, req, () => answer(world, req, res)),
  early: answer,
  late: (world, req, res) => {
    setImmediate(() => byData(world, req, () => setImmediate(answer, world, req, res)));
  },
  paused: (world, req, res) => {
    byData(
      world,
      req,
      () => answer(world, req, res),
      () => {
        req.pause();
        setImmediate(() => req.resume());
      },
    );
  },
  readable: (world, req, res) => {
    const [mark] = targetOf(req);
    let octets = 0;
    req.on('readable', () => {
      world.touch();
      for (let piece = req.read() as Buffer | null; piece !== null; piece = req.read() as Buffer | null) {
        const { length } = piece;
        world.use(mark, octets, piece);
        octets += length;
      }
    });
    req.on('end', () => {
      checkBody(world, req, mark, octets);
      answer(world, req, res);
    });
  },
  iterated: (world, req, res) => {
    void (async () => {
      const [mark] = targetOf(req);
      let octets = 0;
      try {
        for await (const piece of req as AsyncIterable<Buffer>) {
          const { length } = piece;
          world.use(mark, octets, piece);
          octets += length;
          if (world.random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
        }
      } catch {
        return;
      }
      checkBody(world, req, mark, octets);
      answer(world, req, res);
    })();
  },
  informed: (world, req, res) => {
    res.writeEarlyHints({ link: `<${targetOf(req)[0]}>; rel=preload` });
    byData(world, req, () => answer(world, req, res));
  },
  aborted: (world, req) => {
    byData(world, req, () => {});
    setImmediate(() => req.socket.destroy());
  },
  throwsInTick: (world, req, res) => {
    process.nextTick(throwing);
    byData(world, req, () => answer(world, req, res));
  },
  throwsAtEnd: (world, req, res) => {
    byData(world, req, () => {
      answer(world, req, res);
      throwing();
    });
  },
  throws: (world, req, res) => {
    answer(world, req, res);
    throwing();
  },
};

/** The behaviours of a run. */
export function behavioursOf({ kind }: World): string[] {
  const names = Object.keys(behaviours).filter((name) => kind === 'throwing' || !name.startsWith('throws'));
  return [...names, 'app'];
}

/** An application of which each part of a request comes back: its body, params, query and a field. */
function applicationOf(express: Framework, world: World): http.RequestListener {
  const app = express();
  const router = express.Router({ mergeParams: true });
  router.use(express.raw({ type: () => true, limit: '10mb' }));
  router.all(['/app/:size', '/app/:size/twice'], (req, res) => {
    const { mark, size } = req.params as { mark: string; size: string };
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    world.touch();
    const seen = JSON.stringify([
      req.params,
      req.query,
      req.get('x-mark'),
      req.get('cookie'),
      req.path,
      req.originalUrl,
    ]);
    for (const other of othersThan(mark, seen)) world.fault(`${mark} has ${other} in the application: ${seen}`);
    if (seen.includes('poison')) world.fault(`${mark} has what another request was given: ${seen}`);
    const { length } = body;
    if (length !== 0) world.use(mark, 0, body);
    checkBody(world, req, mark, length);
    Object.assign(req.params, { poison: mark });
    Object.assign(req.query, { poison: mark });
    res.set('X-Mark', mark).locals['poison'] = mark;
    if (world.random.chance(0.5)) res.send(octetsOf(mark, Number(size)));
    else res.type('text').send(octetsOf(mark, Number(size)).toString());
  });
  app.use('/:mark', router);
  app.use((error: Error, _req: Req, res: Res, _next: () => void) => {
    if (!(error as { code?: string }).code?.startsWith('ECONN'))
      world.fault(`the application failed: ${error.message}`);
    if (!res.headersSent) res.end();
  });
  return app as http.RequestListener;
}

/** Serves the requests of the clients with what their path says. */
export function listenerOf(express: Framework, world: World): http.RequestListener {
  const app = applicationOf(express, world);
  return (req, res) => {
    req.on('error', () => {});
    inspect(world, req);
    const [, name] = targetOf(req);
    if (name === 'app') app(req, res);
    else behaviours[name](world, req, res);
  };
}

/** A connection that has left HTTP sends back what it gets. */
export function upgradeListenerOf(world: World): (req: Req, socket: Duplex, head: Buffer) => void {
  return (req, socket, head) => {
    const mark = inspect(world, req);
    const others = othersThan(mark, head.toString('latin1'));
    if (others.length !== 0) world.fault(`the head of ${mark} has ${others.join()}`);
    socket.on('error', () => {});
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\nX-Mark: ${mark}\r\n\r\n`);
    socket.write(head);
    socket.pipe(socket);
  };
}
