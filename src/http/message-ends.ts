import { runTicks } from '../core/ticks.js';
import type { EngineRequest } from './messages.js';
import { completeRequest } from './request-body.js';

/** A request whose message is complete, with the trailers that came behind it. */
interface MessageEnd {
  readonly req: EngineRequest;
  readonly trailers: string[];
  /** Its body came in the same read, and somebody is there who may read it. */
  readonly ticksFirst: boolean;
}

/**
 * The ends of the messages of one read, from the first on whose body somebody may be reading. node's parser lets the process
 * have its ticks between such a body and its end: who waits for a promise before it listens still hears `'end'`. Here the
 * ends are told when the read has been handled, in order, each behind the ticks it is to wait for.
 */
export class MessageEnds {
  private list: MessageEnd[] = [];

  get waiting(): boolean {
    return this.list.length !== 0;
  }

  add(req: EngineRequest, trailers: string[], ticksFirst: boolean): void {
    this.list.push({ req, trailers, ticksFirst });
  }

  /** The connection goes on or ends: nothing waits any longer. */
  tell(): void {
    for (let end = this.list.shift(); end !== undefined; end = this.list.shift())
      completeRequest(end.req, end.trailers);
  }

  tellAfterTicks(): void {
    try {
      while (this.waiting) {
        if (this.list[0].ticksFirst) runTicks();
        const end = this.list.shift();
        if (end !== undefined) completeRequest(end.req, end.trailers);
      }
    } finally {
      this.tell();
    }
  }
}
