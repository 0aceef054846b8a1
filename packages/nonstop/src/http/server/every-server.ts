import type net = require('node:net');
import { defineOwn } from '../../core/define-own.js';
import { serverMethods } from '../../node/classes.js';
import { accelerate, gated, isGenuine } from './takeover.js';

let done = false;

/**
 * Lets the engine serve every `http.Server` and `https.Server` of this process, from the moment it listens or gets its
 * first connection (docs/decisions/0015).
 */
export function serveEveryServer(): void {
  if (done) return;
  done = true;
  const { listen } = serverMethods;
  // Looked up at each call, because agents replace the emitter's method.
  const own = Object.hasOwn(serverMethods, 'on') ? serverMethods.on : undefined;
  const emitter = Object.getPrototypeOf(serverMethods) as typeof serverMethods;
  // The constructors of node's servers call this method to add node's listener.
  replace('on', function (this: net.Server, event: string | symbol, listener: unknown) {
    return (own ?? emitter.on).call(this, event, gated(listener));
  });
  // Servers that were made earlier already have node's listener.
  replace('listen', function (this: net.Server, ...args: unknown[]) {
    if (isGenuine(this)) accelerate(this);
    return listen.apply(this, args);
  });
}

function replace<Name extends keyof typeof serverMethods>(name: Name, value: (typeof serverMethods)[Name]): void {
  Object.defineProperty(value, 'name', { value: name, configurable: true });
  defineOwn(serverMethods, name, value);
}
