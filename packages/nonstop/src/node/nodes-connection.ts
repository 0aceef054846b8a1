import { Socket } from 'node:net';
import { valueUnder } from './symbols.js';

type Listener = (this: Socket, ...args: unknown[]) => void;

interface NodeParser {
  readonly socket?: unknown;
  readonly incoming?: unknown;
  /** The parser takes what the handle reads, past the socket's stream. */
  readonly _consumed?: boolean;
}

/** A connection that node's own HTTP serves. */
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

/** Methods that node puts in front of the socket's own, to see who listens, and what it calls each of them. */
const WRAPPED = ['on', 'addListener', 'prependListener'] as const;
const WRAPPER = 'socketListenerWrap';

/** Whether node's own HTTP has this connection. */
export function isNodesConnection(socket: Socket): boolean {
  return (socket as NodeSocket).parser != null;
}

/**
 * Takes a connection from node's own HTTP between two messages: node's listeners are removed, and its parser goes back to where node
 * keeps spare ones. Nothing is read meanwhile. Must be called from a turn of its own: the parser must not be at work.
 *
 * Nothing is done where the connection is in a message or closing, or where anything about it is not as node leaves it: somebody reads
 * the socket, has paused it, or this Node keeps other listeners.
 *
 * @returns whether the connection was taken
 */
export function takeFromNode(server: object, socket: Socket): boolean {
  const nodes = socket as NodeSocket;
  if (!isBetweenMessages(server, nodes) || !isOpen(nodes)) return false;
  const found = Object.entries(LISTENERS).map(([event, name]) => [event, listenerNamed(nodes, event, name)] as const);
  const close = listenerNamed(nodes, 'close', CLOSE_LISTENER);
  const wrapped = WRAPPED.every((name) => Object.hasOwn(nodes, name) && nodes[name].name === WRAPPER);
  if (close === undefined || !wrapped || found.some(([, listener]) => listener === undefined)) return false;
  // A second reader would need the stream, which node's parser and the engine both go past.
  if (nodes.listenerCount('data') !== 1 || nodes.listenerCount('readable') !== 0) return false;

  for (const [event, listener] of found) nodes.removeListener(event, listener!);
  nodes.removeListener('close', close);
  // All that it does without a message under way is to free the parser.
  close.call(nodes);
  for (const name of WRAPPED) delete (nodes as Partial<NodeSocket>)[name];
  delete (nodes as Partial<NodeSocket>).setEncoding;
  return true;
}

function listenerNamed(socket: Socket, event: string, name: string): Listener | undefined {
  const named = (socket.listeners(event) as Listener[]).filter((listener) => listener.name === name);
  return named.length === 1 ? named[0] : undefined;
}

/** Whether the last message is complete and answered, and not an octet of the next has come. */
function isBetweenMessages(server: object, socket: NodeSocket): boolean {
  const { parser } = socket;
  if (parser == null || parser.socket !== socket || parser._consumed !== true) return false;
  if (parser.incoming !== null || socket._httpMessage != null) return false;
  // node asks it for the connections that it may close while they are idle.
  const connections = valueUnder(server, 'http.server.connections') as { idle?: () => unknown[] } | undefined;
  return typeof connections?.idle === 'function' && connections.idle().includes(parser);
}

function isOpen(socket: NodeSocket): boolean {
  if (socket._paused !== false || socket._handle?.reading !== true || socket.destroyed) return false;
  const nothingWaits = socket.readableLength === 0 && socket.writableLength === 0 && socket.writableCorked === 0;
  return socket.readable && socket.writable && socket.readableFlowing === true && nothingWaits;
}
