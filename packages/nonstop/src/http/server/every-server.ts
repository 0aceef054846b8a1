import { hidden } from '../../core/hidden.js';
import net = require('node:net');
import { accelerate, gated, isGenuine } from './takeover.js';

type On = (this: net.Server, event: string | symbol, listener: unknown) => net.Server;
type Listen = (this: net.Server, ...args: unknown[]) => net.Server;

interface Methods {
  on: On;
  listen: Listen;
}

let done = false;

/**
 * Lets the engine serve every `http.Server` and `https.Server` of this process, from the moment it listens or gets its
 * first connection (docs/decisions/0015).
 */
export function serveEveryServer(): void {
  if (done) return;
  done = true;
  const prototype = hidden<Methods>(net.Server.prototype);
  const { listen } = prototype;
  // Looked up at each call, because agents replace the emitter's method.
  const own = Object.hasOwn(prototype, 'on') ? prototype.on : undefined;
  const emitter = Object.getPrototypeOf(prototype) as Methods;
  // The constructors of node's servers call this method to add node's listener.
  replace(prototype, 'on', function (this: net.Server, event: string | symbol, listener: unknown) {
    return (own ?? emitter.on).call(this, event, gated(listener));
  });
  // Servers that were made earlier already have node's listener.
  replace(prototype, 'listen', function (this: net.Server, ...args: unknown[]) {
    if (isGenuine(this)) accelerate(this);
    return listen.apply(this, args);
  });
}

function replace(prototype: object, name: 'on' | 'listen', value: On | Listen): void {
  Object.defineProperty(value, 'name', { value: name, configurable: true });
  Object.defineProperty(prototype, name, { value, writable: true, enumerable: true, configurable: true });
}
