import { bareDescriptor, defineOwn } from '../core/define-own.js';
import { originalOf } from '../core/twin.js';
import { loadHttp2 } from './http2.js';
import type { Request, Application, Response } from './shape.js';

/*
 * The application of a message is `app` of its prototype, as under Express. That is an accessor, which a member of the message can tell of another
 * application: each change of a prototype costs 10 µs and more on Node 20. Where other code gives the message a prototype, such as an Express that is
 * mounted here, `app` is that prototype's.
 */

/** The application that a message is given to without a change of its prototype. */
const kGivenTo = Symbol('mounted');

type Message = (Request | Response) & { [kGivenTo]?: Application | undefined };

/** `app` of the prototypes of an application's messages. */
export function appProperty(app: Application): PropertyDescriptor & ThisType<Message> {
  return bareDescriptor({
    configurable: true,
    enumerable: true,
    get(this: Message) {
      return this[kGivenTo] ?? app;
    },
    // As an assignment to a message whose prototype has a value.
    set(this: Message, value: unknown) {
      defineOwn(this, 'app', value);
    },
  });
}

/**
 * Gives a message to an application without a change of its prototype.
 *
 * @returns whether it is the application's now; not if its prototype has another `app` than that of {@link appProperty}
 */
export function giveTo(message: Message, app: Application): boolean {
  message[kGivenTo] = app;
  return message.app === app;
}

/** Whether {@link giveTo} has given the message to this application. */
export function isGivenTo(message: Message, app: Application): boolean {
  return message[kGivenTo] === app && message.app === app;
}

/** Whether a program has written `app`, which hides the prototype's from then on. */
export function isWritten(message: Message): boolean {
  return Object.hasOwn(message, 'app');
}

/** Gives a message to the application that this prototype belongs to. */
export function setPrototype(message: Message, prototype: object): void {
  if (message[kGivenTo] !== undefined) message[kGivenTo] = undefined;
  const current: unknown = Object.getPrototypeOf(message);
  const original = originalOf(current);
  if (original === prototype) return;
  // HTTP/2 messages cannot inherit from HTTP/1 messages.
  Object.setPrototypeOf(message, original === current ? prototype : loadHttp2().twinOf(prototype));
}
