// Loaded with `--require` before a foreign program: every HTTP server of that program is served by the engine.
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import tls = require('node:tls');
import { accelerate } from '../support/subject.js';

type Method = (this: http.Server, ...args: unknown[]) => unknown;

/** Puts an own method before the inherited one, which takes the server over first. */
function before(
  prototype: http.Server,
  name: 'listen' | 'emit',
  inherited: Method,
  applies: (args: readonly unknown[]) => boolean,
): void {
  Object.defineProperty(prototype, name, {
    value: function (this: http.Server, ...args: unknown[]) {
      if (applies(args)) accelerate(this);
      return inherited.apply(this, args);
    },
    writable: true,
    configurable: true,
  });
}

const handsOver = ([event]: readonly unknown[]): boolean => event === 'connection' || event === 'secureConnection';

before(http.Server.prototype, 'listen', net.Server.prototype.listen as Method, () => true);
before(http.Server.prototype, 'emit', net.Server.prototype.emit as Method, handsOver);
before(https.Server.prototype, 'listen', tls.Server.prototype.listen as Method, () => true);
before(https.Server.prototype, 'emit', tls.Server.prototype.emit as Method, handsOver);
