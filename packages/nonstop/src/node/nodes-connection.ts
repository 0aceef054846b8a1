import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { onFirstUse } from '../core/lazy.js';
import { NodeHttpServer } from './classes.js';
import { nodeListener } from './http-servers.js';
import { valueUnder } from './symbols.js';

type Listener = (this: Socket, ...args: unknown[]) => void;

interface NodeParser {
  readonly socket?: unknown;
  readonly incoming?: unknown;
  /** The parser reads from the handle, bypassing the socket's stream. */
  readonly _consumed?: boolean;
}

/** A connection served by node's own HTTP. */
interface NodeSocket extends Socket {
  parser?: NodeParser | null;
  readonly _handle?: { readonly reading?: boolean } | null;
  readonly _httpMessage?: unknown;
  readonly _paused?: boolean;
}

/** node's listeners on a connection, by their names, which are the same on every supported Node. */
const LISTENERS: Readonly<Record<string, string>> = {
  timeout: 'socketOnTimeout',
  data: 'bound socketOnData',
  error: 'socketOnError',
  end: 'bound socketOnEnd',
  drain: 'bound socketOnDrain',
  resume: 'onSocketResume',
  pause: 'onSocketPause',
};
const CLOSE_LISTENER = 'bound socketOnClose';

/** Own methods that node sets on the socket to notice listeners, with their names. */
const WRAPPED = ['on', 'addListener', 'prependListener'] as const;
const WRAPPER = 'socketListenerWrap';

/** Whether these are all of node's listeners. One of a later Node that is not listed would stay, and use the parser after it is given back. */
const areAll = onFirstUse((): boolean => {
  const connection = new Duplex({ read: () => undefined, write: () => undefined });
  nodeListener.call(new NodeHttpServer(), connection as never);
  const names = connection.eventNames();
  // Gives the parser back to node.
  connection.destroy();
  return names.every((name) => name === 'close' || Object.hasOwn(LISTENERS, name));
});

export function isNodesConnection(socket: Socket): boolean {
  return (socket as NodeSocket).parser != null;
}

/**
 * Takes a connection from node's own HTTP between two messages: node's listeners are removed, and its parser goes back to
 * where node keeps spare ones. Nothing is read meanwhile. It must be called in a separate turn, because the parser must
 * not be running.
 *
 * Nothing is done if the connection is within a message or closing, or not in the state in which node leaves it: a
 * program reads or has paused the socket, or this Node has other listeners.
 *
 * @returns whether the connection was taken
 */
export function takeFromNode(server: object, socket: Socket): boolean {
  const nodes = socket as NodeSocket;
  if (!isBetweenMessages(server, nodes) || !isOpen(nodes) || !areAll()) return false;
  const found = Object.entries(LISTENERS).map(([event, name]) => [event, listenerNamed(nodes, event, name)] as const);
  const close = listenerNamed(nodes, 'close', CLOSE_LISTENER);
  const wrapped = WRAPPED.every((name) => Object.hasOwn(nodes, name) && nodes[name].name === WRAPPER);
  if (close === undefined || !wrapped || found.some(([, listener]) => listener === undefined)) return false;
  // A second reader would need the stream, which node's parser and the engine both bypass.
  if (nodes.listenerCount('data') !== 1 || nodes.listenerCount('readable') !== 0) return false;

  for (const [event, listener] of found) nodes.removeListener(event, listener!);
  nodes.removeListener('close', close);
  // Between two messages this only gives the parser back.
  close.call(nodes);
  // As node's wrappers do when there is no parser. Deleting them would make V8 keep the socket as a dictionary.
  for (const name of WRAPPED) nodes[name] = Socket.prototype[name] as never;
  return true;
}

function listenerNamed(socket: Socket, event: string, name: string): Listener | undefined {
  const named = (socket.listeners(event) as Listener[]).filter((listener) => listener.name === name);
  return named.length === 1 ? named[0] : undefined;
}

/** Whether the last message is complete and answered, and no octet of the next has arrived. */
function isBetweenMessages(server: object, socket: NodeSocket): boolean {
  const { parser } = socket;
  if (parser == null || parser.socket !== socket || parser._consumed !== true) return false;
  if (parser.incoming !== null || socket._httpMessage != null) return false;
  // node asks it for idle connections that may be closed.
  const connections = valueUnder(server, 'http.server.connections') as { idle?: () => unknown[] } | undefined;
  return typeof connections?.idle === 'function' && connections.idle().includes(parser);
}

function isOpen(socket: NodeSocket): boolean {
  if (socket._paused !== false || socket._handle?.reading !== true || socket.destroyed) return false;
  const nothingWaits = socket.readableLength === 0 && socket.writableLength === 0 && socket.writableCorked === 0;
  return socket.readable && socket.writable && socket.readableFlowing === true && nothingWaits;
}
