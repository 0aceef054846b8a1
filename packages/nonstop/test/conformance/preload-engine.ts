// Loaded with `--require` before another project's program: the engine serves every HTTP server of it, from its first
// connection on.
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import tls = require('node:tls');
import { nonstopHttp } from '../support/subject.js';
import { countHandedOver, leftToNode } from './preload-tally.js';

const { accelerate, IncomingMessage, ServerResponse } = nonstopHttp;

type Method = (this: http.Server, ...args: unknown[]) => unknown;

/** Defines an own method that calls `act` and then the inherited method. */
function before(
  prototype: http.Server,
  name: 'listen' | 'emit',
  inherited: Method,
  act: (server: http.Server, args: readonly unknown[]) => void,
): void {
  Object.defineProperty(prototype, name, {
    value: function (this: http.Server, ...args: unknown[]) {
      act(this, args);
      return inherited.apply(this, args);
    },
    writable: true,
    configurable: true,
  });
}

function takeOver(server: http.Server): void {
  if (!accelerate(server, prototypesOf(server))) leftToNode(server);
}

/** If an application is the listener, its prototypes are used for the messages, as in `app.listen()`. */
function prototypesOf(server: http.Server): { request: object; response: object } | undefined {
  const [app] = server.listeners('request') as { request?: unknown; response?: unknown }[];
  const ours = app?.request instanceof IncomingMessage && app.response instanceof ServerResponse;
  return ours ? (app as { request: object; response: object }) : undefined;
}

function look(server: http.Server, [event, message]: readonly unknown[]): void {
  if (event === 'connection' || event === 'secureConnection') takeOver(server);
  else if (event === 'upgrade' || event === 'connect') countHandedOver(server, message as object);
}

before(http.Server.prototype, 'listen', net.Server.prototype.listen as Method, takeOver);
before(http.Server.prototype, 'emit', net.Server.prototype.emit as Method, look);
before(https.Server.prototype, 'listen', tls.Server.prototype.listen as Method, takeOver);
before(https.Server.prototype, 'emit', tls.Server.prototype.emit as Method, look);
