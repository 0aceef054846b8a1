import { AsyncLocalStorage } from 'node:async_hooks';
import stream = require('node:stream');
import vm = require('node:vm');
import type http = require('node:http');
import type net = require('node:net');
import type { Play, Scene } from '../../support/plays.js';
import type { Pause, Transcript } from '../../support/transcript.js';
import { shape } from '../../support/shape.js';
import { hasStores, stepsOf, type Program } from './program.js';
import { handlerSource, PARAMETERS } from './source.js';

/** A listener may cause its own event again, without end. */
const MOST_TIMES = 8;

/** A request and its response; the results go to `stage`. */
export interface Exchange extends Omit<Scene, 'stage'> {
  readonly stage: Transcript;
}

type Handler = (...tools: unknown[]) => Promise<void>;

/** One store for all programs: its values name the request. */
const store = new AsyncLocalStorage<string>();

/** @returns a function that runs the handlers of a program */
export function handlersOf(program: Program): (exchange: Exchange) => unknown {
  const handlers = program.requests.map((request) => {
    const source = `async (${PARAMETERS.join(', ')}) => {\n${handlerSource(request)}\n}`;
    return vm.runInThisContext(`(${source})`) as Handler;
  });
  const { handlers: own } = program.stores;
  return (exchange) => {
    const n = Number(exchange.req.url?.slice(1));
    const act = (): unknown =>
      handlers[n](...toolsOf(exchange, hasStores(program.stores), program.requests[n].guarded));
    if (own === 'run') return store.run(`request ${exchange.index}`, act);
    if (own === 'enter') store.enterWith(`request ${exchange.index}`);
    return act();
  };
}

/** @returns a function that runs the program on one door */
export function playOf(program: Program): () => Play {
  const handler = handlersOf(program);
  const steps = stepsOf(program);
  const { halfOpen, continues, clientError, maxRequests } = program.server;
  const { connections } = program.stores;
  return () => ({
    steps,
    around: connections === 'listen' ? (listen) => store.run('listen', listen) : undefined,
    setup: (server, stage) => {
      if (connections === 'connection') server.prependListener('connection', () => store.enterWith('connection'));
      // Missing in the types of the oldest Node.
      if (halfOpen) (server as http.Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
      if (maxRequests > 0) server.maxRequestsPerSocket = maxRequests;
      if (continues) server.on('checkContinue', (req, res) => void server.emit('request', req, res));
      if (!clientError) return;
      server.on('clientError', (error: NodeJS.ErrnoException, socket: net.Socket) => {
        const stored = hasStores(program.stores) ? ` in ${store.getStore()}` : '';
        stage.note('server', `clientError ${error.code}${stored}`);
        socket.destroy();
      });
    },
    handler,
  });
}

/** Events at the end of a request. A request that was not used before its answer ends on first use. */
const OF_ITS_END = new Set(['req end', 'req close', 'req pause', 'req resume']);

function toolsOf({ req, res, stage }: Exchange, stores: boolean, guarded: boolean): unknown[] {
  const own = `request ${req.url?.slice(1)}`;
  let source = own;
  const noteAt = (place: string, text: string): void =>
    stage.note(place, stores ? `${text} in ${store.getStore()}` : text);
  const note = (text: string): void => noteAt(source, text);
  const list = (values: readonly unknown[]): string => values.map((value) => shape(value, stage.names)).join(', ');
  const wait = (how: Pause): Promise<void> => stage.pause(how);
  const tools: Record<(typeof PARAMETERS)[number], unknown> = {
    req,
    res,
    stream,
    run: (label: string, act: () => unknown) => void stage.call(source, label, act),
    pause: wait,
    later: (how: Pause, act: () => void) => void wait(how).then(act),
    listen: (emitter: NodeJS.EventEmitter | null, name: string, how: 'on', act: () => void) => {
      if (emitter === null) return;
      let times = 0;
      emitter[how](name.split(' ')[1], (...seen: unknown[]) => {
        if (++times > MOST_TIMES) return;
        if (!guarded && OF_ITS_END.has(name)) source = `end of ${own}`;
        note(`${name} (${list(seen)})`);
        act();
        source = own;
      });
    },
    cb: (name: string) => {
      const place = source;
      return (...seen: unknown[]) => noteAt(place, `callback of ${name} (${list(seen)})`);
    },
    // In full, because only the octets of a body are compared, not its pieces.
    data: (part: unknown) => note(`data ${typeof part === 'string' ? JSON.stringify(part) : list([part])}`),
    collect: async (request: http.IncomingMessage) => {
      let text = '';
      for await (const part of request) text += String(part);
      return text;
    },
  };
  return PARAMETERS.map((name) => tools[name]);
}
