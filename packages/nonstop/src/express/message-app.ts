import { defineOwn } from '../core/define-own.js';
import { originalOf } from '../core/twin.js';
import { loadHttp2 } from './http2.js';
import type { Request, Application, Response } from './shape.js';

/*
 * The application of a message is `app` of its prototype, as under Express, or an own property `app` that stands for such a prototype: each change
 * of a prototype costs 10 µs and more on Node 20.
 */

/** The own `app` that stands for a prototype; undefined if there is none. Another own `app` is a program's, and stays. */
const kStandsFor = Symbol('mounted');

type Message = (Request | Response) & { [kStandsFor]?: Application | undefined };

/** Gives a message to an application by an own `app`. */
export function giveTo(message: Message, app: Application): void {
  // Not by assignment: the prototype's `app` may be frozen.
  defineOwn(message, 'app', app);
  message[kStandsFor] = app;
}

/** Whether {@link giveTo} has given the message to this application. */
export function isGivenTo(message: Message, app: Application): boolean {
  return message[kStandsFor] === app && message.app === app;
}

/** Whether a program has written `app`, which hides the prototype's from then on. */
export function isWritten(message: Message): boolean {
  const given = message[kStandsFor];
  return given === undefined ? Object.hasOwn(message, 'app') : message.app !== given;
}

/** Gives a message to the application that this prototype belongs to. */
export function setPrototype(message: Message, prototype: object): void {
  if (message[kStandsFor] !== undefined) {
    // It would hide the prototype's.
    if (!isWritten(message)) delete (message as Partial<Request>).app;
    message[kStandsFor] = undefined;
  }
  const current: unknown = Object.getPrototypeOf(message);
  const original = originalOf(current);
  if (original === prototype) return;
  // HTTP/2 messages cannot inherit from HTTP/1 messages.
  Object.setPrototypeOf(message, original === current ? prototype : loadHttp2().twinOf(prototype));
}
