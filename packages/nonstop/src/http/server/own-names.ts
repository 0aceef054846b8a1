import { onFirstUse } from '../../core/lazy.js';
import { kConnection, type EngineRequest } from '../message.js';
import { IncomingMessage, requestClass } from '../request/class.js';
import { ServerResponse, responseClass } from '../response/class.js';

/*
 * node's messages have these members before an application changes their prototype. The engine's constructors assign them to an object that inherits from it already: an
 * accessor there would be called, or throw.
 */

const namesOf = (message: object): readonly string[] => Object.keys(message);

const requestNames = onFirstUse(() => namesOf(new (requestClass(IncomingMessage.prototype))({} as never, {} as never)));

const responseNames = onFirstUse(() => {
  const host = { server: {}, outbox: {}, engine: {} };
  const req: object = { [kConnection]: host, method: 'GET', httpVersionMinor: 1 };
  return namesOf(new (responseClass(ServerResponse.prototype))(req as EngineRequest, true));
});

/** Whether no member of a prototype of requests has a name that a request has itself. */
export const isFreeForRequests = (prototype: object): boolean =>
  isFree(prototype, IncomingMessage.prototype, requestNames());

/** The same for responses. */
export const isFreeForResponses = (prototype: object): boolean =>
  isFree(prototype, ServerResponse.prototype, responseNames());

function isFree(prototype: object, base: object, names: readonly string[]): boolean {
  for (let at: object | null = prototype; at !== null && at !== base; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of names) if (Object.hasOwn(at, name)) return false;
  }
  return true;
}
