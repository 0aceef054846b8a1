import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { cutsCharacter, utf8Length } from '../core/strings.js';

interface Waiting {
  readonly chunk: unknown;
  readonly encoding: string;
  readonly callback: unknown;
}

/** The part of a stream's state that is used here: properties or accessors of `_writableState`. */
interface State {
  length: number;
  pendingcb: number;
  readonly bufferedIndex: number;
  buffered: Waiting[] | null;
}

const writableState = (stream: object): State => (stream as { readonly _writableState: State })._writableState;

/** The text of one call of a handle. */
interface Text {
  readonly text: string;
  readonly utf8: boolean;
}

const { _writev: nodesWritev } = Socket.prototype;

/** The value that node stores for a write without a callback. Undefined if this Node keeps such writes in another way: then nothing is taken back. */
const noCallback: unknown = findNoCallback();

function findNoCallback(): unknown {
  const stream = new Writable({ decodeStrings: false, write: () => {} });
  stream.cork();
  stream.write('x', 'latin1');
  const state = writableState(stream);
  const waiting = state.buffered;
  if (!Array.isArray(waiting) || waiting.length !== 1 || state.pendingcb !== 1 || state.bufferedIndex !== 0)
    return undefined;
  take(state, 1);
  const [{ chunk, encoding, callback }] = waiting;
  const isTaken = writableState(stream).buffered?.length === 0 && stream.writableLength === 0;
  return isTaken && chunk === 'x' && encoding === 'latin1' ? callback : undefined;
}

function take(state: State, writes: number): void {
  state.buffered = null;
  state.length = 0;
  state.pendingcb -= writes;
}

/**
 * Takes back all that was written to a corked socket, and joins `text` to it: one text for the handle costs less than a `writev`, for which node makes
 * a request, a list of parts and a copy of each.
 *
 * @param socket one of node's own, over TCP or a pipe
 * @param text what comes last
 * @returns undefined, with everything as it was, if not all of it is text without callbacks, or if joining would change its octets
 */
export function joinWaiting(socket: Socket, text: string, utf8: boolean): Text | undefined {
  const state = writableState(socket);
  if (noCallback === undefined || socket.writableNeedDrain || socket._writev !== nodesWritev) return undefined;
  const waiting = state.buffered!;
  const joined = joinTexts(waiting, state.length, { text, utf8 });
  if (joined !== undefined) take(state, waiting.length);
  return joined;
}

function joinTexts(waiting: readonly Waiting[], length: number, last: Text): Text | undefined {
  let text = '';
  let utf8 = last.utf8;
  for (const write of waiting) {
    if (write.callback !== noCallback || typeof write.chunk !== 'string') return undefined;
    if (write.encoding === 'utf8') utf8 = true;
    else if (write.encoding !== 'latin1') return undefined;
    text += write.chunk;
  }
  // `length` also counts a write that is under way, which cannot be taken back.
  if (text.length !== length) return undefined;
  return utf8 && !keepsOctets(waiting, last) ? undefined : { text: text + last.text, utf8 };
}

/** Whether the texts, joined and encoded in UTF-8, give the same octets. */
function keepsOctets(waiting: readonly Waiting[], { text, utf8 }: Text): boolean {
  let before = '';
  for (const { chunk, encoding } of waiting as readonly { chunk: string; encoding: string }[]) {
    if (encoding === 'latin1' ? !isAscii(chunk) : cutsCharacter(before, chunk)) return false;
    if (chunk !== '') before = chunk;
  }
  return utf8 ? !cutsCharacter(before, text) : isAscii(text);
}

const isAscii = (text: string): boolean => utf8Length(text) === text.length;
