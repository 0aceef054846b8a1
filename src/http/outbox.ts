import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { closeResponse } from './abort.js';
import { anybodyHearsFinish, responseFinished } from './channels.js';
import type { Answer, EngineResponse } from './messages.js';
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
 * What goes to the socket of one connection. While requests of one read are being handled it holds the answers back and
 * hands them over in one write: 16 pipelined answers cost one system call. Outside of that every answer goes at once.
 */
export class Outbox {
  private readonly socket: Socket;
  private text = '';
  private parts: Part[] = [];
  /** The response answered since the last write; `others` only where requests were pipelined. */
  private answered: EngineResponse | null = null;
  private others: EngineResponse[] | null = null;
  private holding = false;
  /** Every `end()` of the batch has returned, so a listener that is not there now comes too late. */
  private returned = false;
  private closing = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  hold(): void {
    this.holding = true;
  }

  /** The read has been handled: everything goes out. */
  release(): void {
    this.returned = true;
    this.flush();
    this.returned = false;
    this.holding = false;
  }

  put(res: EngineResponse, answer: Answer): void {
    if (this.answered === null) this.answered = res;
    else (this.others ??= []).push(res);
    if (answer.utf8) this.part(answer.text, 'utf8');
    else this.text += answer.text;
    if (answer.body !== null) this.part(answer.body, undefined);
    // Whoever listens expects node's order of events, which starts with the write.
    if (!this.holding || this.text.length > MOST_HELD || isListenedTo(res)) this.flush();
    else keepForExit(this);
  }

  /** Ends the connection once everything is out. */
  close(): void {
    this.closing = true;
    if (!this.holding) this.flush();
  }

  private part(data: string | Uint8Array, encoding: BufferEncoding | undefined): void {
    if (this.text !== '') {
      this.parts.push({ data: this.text, encoding: 'latin1' });
      this.text = '';
    }
    this.parts.push({ data, encoding });
  }

  flush(): void {
    if (this.answered !== null) this.write(this.answered);
    if (this.closing) {
      this.closing = false;
      closeWhenSent(this.socket);
    }
  }

  private write(answered: EngineResponse): void {
    const { socket, text } = this;
    const told = this.settle(answered);
    const sent = told === null ? undefined : (error?: Error | null) => tellFinished(told, error);
    held = null;
    this.text = '';
    if (this.parts.length === 0) {
      socket.write(text, 'latin1', sent);
      return;
    }
    const parts = this.parts;
    this.parts = [];
    if (text !== '') parts.push({ data: text, encoding: 'latin1' });
    socket.cork();
    parts.forEach(({ data, encoding }, i) => socket.write(data, encoding, i === parts.length - 1 ? sent : undefined));
    socket.uncork();
  }

  /** Closes the books on what is about to be written; gives those responses that somebody listens to. */
  private settle(answered: EngineResponse): EngineResponse[] | null {
    const others = this.others;
    this.answered = null;
    this.others = null;
    const heard = !this.returned || anybodyHearsFinish();
    let told = settleOne(answered, heard, null);
    if (others !== null) for (const res of others) told = settleOne(res, heard, told);
    return told;
  }
}

function settleOne(res: EngineResponse, heard: boolean, told: EngineResponse[] | null): EngineResponse[] | null {
  if (heard || isListenedTo(res)) {
    if (told === null) return [res];
    told.push(res);
  } else {
    res[kLife] = Life.Finished;
    res.destroyed = true;
    res._closed = true;
    res[kConnection].settled(res);
  }
  return told;
}

/** A patched `emit` listens as well: that is how some APM agents follow responses. */
export function isListenedTo(res: EngineResponse): boolean {
  return res._events !== undefined || res[kLife] !== Life.Ended || res.emit !== EventEmitter.prototype.emit;
}

/** node's order: `'finish'` when the octets are the kernel's, `'close'` a tick later. */
function tellFinished(responses: EngineResponse[], error?: Error | null): void {
  for (const res of responses) {
    if (!error) {
      if (res[kLife] === Life.Ended) res[kLife] = Life.Finished;
      responseFinished(res[kConnection], res);
      res[kConnection].settled(res);
      res.emit('finish');
    }
    process.nextTick(closeResponse, res);
  }
}

function closeWhenSent(socket: Socket): void {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else socket.end();
}
