import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { closeResponse } from './abort.js';
import { anybodyHearsFinish, responseFinished } from './channels.js';
import { writeGathered } from './response-body.js';
import type { Answer, EngineResponse, PartSink } from './messages.js';
import { Life, kConnection, kLife } from './symbols.js';

type Part = { data: string | Uint8Array; encoding: BufferEncoding | undefined };

/** Text held back at most before it goes to the socket although more may come. */
const MOST_HELD = 65_536;

/** The outbox that holds answers back while its read is being handled; there is never more than one. */
let held: Outbox | null = null;

function keepForExit(outbox: Outbox): void {
  held = outbox;
}

// A handler that answers and then calls `process.exit()` has, under node, written already. So it has here.
process.on('exit', () => {
  held?.flush();
});

/**
 * What goes to the socket of one connection. An answer is written when it is given, as under node; only while further
 * pipelined requests of the same read wait for their handlers is it held back, so that 16 answers cost one system call.
 */
export class Outbox implements PartSink {
  /** More requests of the read that is being handled are to come. */
  more = false;

  private readonly socket: Socket;
  private text = '';
  private parts: Part[] | null = null;
  /** Responses whose `'finish'` somebody waits for, told when what is written next has left. */
  private told: EngineResponse[] | null = null;
  /** A response of this read that nobody listens to so far; `others` only where requests were pipelined. */
  private quiet: EngineResponse | null = null;
  private others: EngineResponse[] | null = null;
  private reading = false;
  private closing = false;
  /** Somebody is told that what was written last has left. */
  private heard = false;
  private complete = true;
  /** For its parts the socket is corked until the end of the tick. */
  private gathering: EngineResponse | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** A read begins to be handled. */
  hold(): void {
    this.reading = true;
  }

  /**
   * The read has been handled: everything goes out.
   *
   * @param complete no message is in the middle of its arrival
   */
  release(complete: boolean): void {
    this.reading = false;
    this.complete = complete;
    this.more = false;
    this.send();
    if (this.quiet !== null) this.settle(this.quiet);
    if (this.closing) this.closeSocket();
  }

  put(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): void {
    // Outside of a read nothing says when `end()` has returned, and a listener may still come in the same tick.
    if (!this.reading || isListenedTo(res) || anybodyHearsFinish()) (this.told ??= []).push(res);
    else if (this.quiet === null) this.quiet = res;
    else (this.others ??= []).push(res);
    if (utf8) this.part(text, 'utf8');
    else this.text += text;
    if (body !== null) this.part(body, undefined);
    // Whoever listens expects node's order of events, which starts with the write.
    if (!this.more || this.told !== null || this.text.length > MOST_HELD) {
      this.send();
      this.letGo();
      if (this.closing && !this.reading) this.closeSocket();
    } else keepForExit(this);
  }

  /** Ends the connection once everything is out; `complete` as for {@link release}. */
  close(complete: boolean): void {
    this.closing = true;
    this.complete = complete;
    if (!this.reading) this.flush();
  }

  private part(data: string | Uint8Array, encoding: BufferEncoding | undefined): void {
    const parts = (this.parts ??= []);
    if (this.text !== '') {
      parts.push({ data: this.text, encoding: 'latin1' });
      this.text = '';
    }
    parts.push({ data, encoding });
  }

  flush(): void {
    this.send();
    if (this.closing && !this.reading) this.closeSocket();
  }

  private send(): void {
    if (this.text !== '' || this.parts !== null) this.deliver();
    else if (this.told !== null) this.tellOfNothing(this.told);
  }

  // --- an answer in parts ----------------------------------------------------------------------------------------

  write(part: string | Uint8Array, utf8: boolean): boolean {
    const { socket } = this;
    if (this.text !== '' || this.parts !== null) this.deliver();
    if (part.length === 0) return socket.writableLength < socket.writableHighWaterMark;
    return socket.write(part, utf8 ? 'utf8' : 'latin1');
  }

  gather(res: EngineResponse): boolean {
    if (this.gathering === res) return true;
    if (this.socket.writableCorked !== 0) return false;
    this.gathering = res;
    this.socket.cork();
    process.nextTick(endTick, this, res);
    return true;
  }

  gathers(res: EngineResponse): boolean {
    return this.gathering === res;
  }

  letGo(): void {
    if (this.gathering === null) return;
    this.gathering = null;
    this.socket.uncork();
  }

  /** The tick is over in which `res` began to write. */
  endTick(res: EngineResponse): void {
    if (this.gathering !== res) return;
    writeGathered(res);
    this.letGo();
  }

  /** Answers whose last octets were written before. */
  private tellOfNothing(told: EngineResponse[]): void {
    this.told = null;
    this.heard = true;
    if (this.socket.writableLength === 0) process.nextTick(tellFinished, told);
    else this.socket.write('', 'latin1', (error) => tellFinished(told, error));
  }

  private closeSocket(): void {
    this.closing = false;
    if (!this.complete || this.heard || !shutDown(this.socket)) closeWhenSent(this.socket);
  }

  private deliver(): void {
    const { socket, text, told, parts } = this;
    const sent = told === null ? undefined : (error?: Error | null) => tellFinished(told, error);
    held = null;
    this.heard = told !== null;
    this.told = null;
    this.text = '';
    if (parts === null) {
      socket.write(text, 'latin1', sent);
      return;
    }
    this.parts = null;
    if (text !== '') parts.push({ data: text, encoding: 'latin1' });
    socket.cork();
    parts.forEach(({ data, encoding }, i) => socket.write(data, encoding, i === parts.length - 1 ? sent : undefined));
    socket.uncork();
  }

  /** Closes the books on the answers of a read: every `end()` has returned, a listener that is not there comes too late. */
  private settle(first: EngineResponse): void {
    const others = this.others;
    this.quiet = null;
    this.others = null;
    this.settleOne(first);
    if (others !== null) for (const res of others) this.settleOne(res);
  }

  private settleOne(res: EngineResponse): void {
    if (isListenedTo(res)) {
      this.heard = true;
      process.nextTick(tellFinished, [res]);
      return;
    }
    finishUnheard(res);
  }
}

function endTick(outbox: Outbox, res: EngineResponse): void {
  outbox.endTick(res);
}

function finishUnheard(res: EngineResponse): void {
  res[kLife] = Life.Finished;
  res.destroyed = true;
  res._closed = true;
  res[kConnection].settled(res);
}

/** What an answer counts while it waits for its turn. */
export function octetsOf({ text, body }: Answer): number {
  return text.length + (body?.byteLength ?? 0);
}

/** A patched `emit` listens as well: that is how some APM agents follow responses. */
export function isListenedTo(res: EngineResponse): boolean {
  return res._events !== undefined || res[kLife] !== Life.Ended || res.emit !== EventEmitter.prototype.emit;
}

/** node's order: `'finish'` when the octets are the kernel's, `'close'` a tick later. */
function tellFinished(responses: EngineResponse[], error?: Error | null): void {
  for (const res of responses) {
    if (!error && !isListenedTo(res) && !anybodyHearsFinish()) {
      // Without the two events and the tick between them an answer behind an `await` takes 10 % less of our time.
      finishUnheard(res);
      continue;
    }
    if (!error) {
      if (res[kLife] === Life.Ended) res[kLife] = Life.Finished;
      responseFinished(res[kConnection], res);
      res[kConnection].settled(res);
      res.emit('finish');
    }
    process.nextTick(closeResponse, res);
  }
}

/**
 * Sends FIN, and closes when that is done. Not both at once, though the kernel would send FIN behind what was written: with octets in
 * the receive buffer that nobody has read, of a client that sends its next request too early, closing sends RST instead, and the
 * client may lose the answer.
 *
 * By what the stream calls to shut the socket down and not by `end()`, whose events and ticks are 2 to 10 % of a request without
 * keep-alive (Node 24 and 20). Not for a socket somebody waits on to be finished, nor for TLS, whose end is a message of its own.
 */
function shutDown(socket: Socket): boolean {
  if (
    Object.getPrototypeOf(socket) !== Socket.prototype ||
    typeof socket._final !== 'function' ||
    socket.writableLength !== 0 ||
    socket.writableEnded ||
    socket.listenerCount('finish') !== 0
  )
    return false;
  socket._final(() => socket.destroy());
  return true;
}

function closeWhenSent(socket: Socket): void {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else socket.end();
}
