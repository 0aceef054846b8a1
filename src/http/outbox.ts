import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { closeResponse } from './abort.js';
import { anybodyHearsFinish, responseFinished } from './channels.js';
import type { Answer, EngineResponse } from './messages.js';
import { Life, kConnection, kLife } from './symbols.js';

type Part = { data: string | Uint8Array; encoding: BufferEncoding | undefined };

/** Text held back at most before it goes to the socket although more may come. */
const MOST_HELD = 65_536;

const unflushed = new Set<Outbox>();

// A handler that answers and then calls `process.exit()` has, under node, written already. So it has here.
process.on('exit', () => {
  for (const outbox of unflushed) outbox.flush();
});

/**
 * What goes to the socket of one connection. While requests of one read are being handled it holds the answers back and
 * hands them over in one write: 16 pipelined answers cost one system call. Outside of that every answer goes at once.
 */
export class Outbox {
  private readonly socket: Socket;
  private text = '';
  private parts: Part[] = [];
  private answered: EngineResponse[] = [];
  private holding = false;
  private closing = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  hold(): void {
    this.holding = true;
  }

  release(): void {
    this.holding = false;
    this.flush();
  }

  put(res: EngineResponse, answer: Answer): void {
    this.answered.push(res);
    if (answer.utf8) this.part(answer.text, 'utf8');
    else this.text += answer.text;
    if (answer.body !== null) this.part(answer.body, undefined);
    if (!this.holding || this.text.length > MOST_HELD) this.flush();
    else if (unflushed.size === 0) unflushed.add(this);
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
    if (this.answered.length !== 0) this.write();
    if (this.closing) {
      this.closing = false;
      closeWhenSent(this.socket);
    }
  }

  private write(): void {
    const { socket, text } = this;
    const told = this.settle();
    const sent = told === null ? undefined : (error?: Error | null) => tellFinished(told, error);
    unflushed.delete(this);
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
  private settle(): EngineResponse[] | null {
    const answered = this.answered;
    let told: EngineResponse[] | null = null;
    const heard = anybodyHearsFinish();
    for (const res of answered) {
      // Outside of a batch `end()` has not returned yet, and a listener may still come in the same tick.
      if (!this.holding || heard || isListenedTo(res)) (told ??= []).push(res);
      else {
        res[kLife] = Life.Finished;
        res.destroyed = true;
        res._closed = true;
      }
      res._headerSent = true;
    }
    this.answered = [];
    return told;
  }
}

// A patched `emit` listens as well: that is how some APM agents follow responses.
function isListenedTo(res: EngineResponse): boolean {
  return res._events !== undefined || res[kLife] !== Life.Ended || res.emit !== EventEmitter.prototype.emit;
}

/** node's order: `'finish'` when the octets are the kernel's, `'close'` a tick later. */
function tellFinished(responses: EngineResponse[], error?: Error | null): void {
  for (const res of responses) {
    if (!error) {
      if (res[kLife] === Life.Ended) res[kLife] = Life.Finished;
      responseFinished(res[kConnection], res);
      res.emit('finish');
    }
    process.nextTick(closeResponse, res);
  }
}

function closeWhenSent(socket: Socket): void {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else socket.end();
}
