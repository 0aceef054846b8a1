import { EventEmitter } from 'node:events';
import type express = require('express');

type Done = (error?: unknown, data?: unknown) => void;

/** The part of express-session that the soak uses. */
export interface SessionModule {
  (options: object): express.RequestHandler;
  readonly Store: { readonly prototype: EventEmitter };
}

/** Far more than the number of clients at a time. */
const MOST = 2_000;

/**
 * Keeps the most recently used sessions as text. In express-session's own store the sessions of clients that hung up would be a leak.
 * It answers in a later turn, as a database does.
 */
export class CappedStore extends EventEmitter {
  private readonly texts = new Map<string, string>();

  constructor(session: SessionModule) {
    super();
    const { generate: _, ...methods } = Object.getOwnPropertyDescriptors(session.Store.prototype) as Record<
      string,
      PropertyDescriptor
    >;
    delete methods['constructor'];
    Object.defineProperties(this, methods);
  }

  get(id: string, done: Done): void {
    const text = this.texts.get(id);
    setImmediate(done, null, text === undefined ? null : JSON.parse(text));
  }

  set(id: string, data: unknown, done: Done): void {
    this.texts.delete(id);
    this.texts.set(id, JSON.stringify(data));
    const [oldest] = this.texts.keys();
    if (this.texts.size > MOST) this.texts.delete(oldest);
    setImmediate(done);
  }

  touch(id: string, data: unknown, done: Done): void {
    if (this.texts.has(id)) this.set(id, data, done);
    else setImmediate(done);
  }

  destroy(id: string, done: Done): void {
    this.texts.delete(id);
    setImmediate(done);
  }
}
