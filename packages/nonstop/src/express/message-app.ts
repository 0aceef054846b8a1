import { bareDescriptor, defineOwn } from '../core/define-own.js';
import { originalOf } from '../core/twin.js';
import { loadHttp2 } from './http2.js';
import type { Request, Application, Response } from './shape.js';

/*
 * The application of a message is `app` of its prototype, as under Express. That is an accessor, which a member of the message can tell of another
 * application: each change of a prototype costs 10 µs and more on Node 20. Where other code gives the message a prototype, such as an Express that is
 * mounted here, `app` is that prototype's.
 */

/**
 * The application that a message is given to without a change of its prototype, in place of the one whose prototype it has. Other code may give it
 * another prototype at any time. Private, so that a program that prints a request does not print an application with its settings.
 */
class Given {
  readonly #app: Application;
  readonly #instead: unknown;

  constructor(app: Application, instead: unknown) {
    this.#app = app;
    this.#instead = instead;
  }

  /** The application of a message whose prototype is that of `owner`. It may be a Proxy of this object, in a copy of the message. */
  static of(given: Given, owner: Application): Application {
    return #app in given && given.#instead === owner ? given.#app : owner;
  }
}

const kGiven = Symbol('mounted');

type Message = (Request | Response) & { [kGiven]?: Given | undefined };

/** `app` of the prototypes of an application's messages. */
export function appProperty(app: Application): PropertyDescriptor & ThisType<Message> {
  return bareDescriptor({
    configurable: true,
    enumerable: true,
    get(this: Message) {
      const given = this[kGiven];
      return given === undefined ? app : Given.of(given, app);
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
  message[kGiven] = undefined;
  message[kGiven] = new Given(app, message.app);
  return message.app === app;
}

/** Whether {@link giveTo} has given the message to this application. */
export function isGivenTo(message: Message, app: Application): boolean {
  return message[kGiven] !== undefined && message.app === app;
}

/** Whether a program has written `app`, which hides the prototype's from then on. */
export function isWritten(message: Message): boolean {
  return Object.hasOwn(message, 'app');
}

/** Gives a message to the application that this prototype belongs to. */
export function setPrototype(message: Message, prototype: object): void {
  if (message[kGiven] !== undefined) message[kGiven] = undefined;
  const current: unknown = Object.getPrototypeOf(message);
  const original = originalOf(current);
  if (original === prototype) return;
  // HTTP/2 messages cannot inherit from HTTP/1 messages.
  Object.setPrototypeOf(message, original === current ? prototype : loadHttp2().twinOf(prototype));
}
