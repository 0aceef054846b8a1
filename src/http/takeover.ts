import type http = require('node:http');

/** What the engine puts in front of `IncomingMessage.prototype` and `ServerResponse.prototype` on one server. */
export interface Prototypes {
  readonly request: object;
  readonly response: object;
}

/** Placeholder until the engine lands: takes nothing over. */
export function accelerate(_server: http.Server, _prototypes?: Prototypes): boolean {
  return false;
}
