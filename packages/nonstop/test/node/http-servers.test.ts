import assert = require('node:assert/strict');
import http = require('node:http');
import https = require('node:https');
import { test } from 'node:test';
import {
  hasClass,
  nodeListener,
  optimizesEmptyRequests,
  putClass,
  uniqueHeadersOf,
} from '../../src/node/http-servers.js';
import { compiled } from '../support/paths.js';
import { inChangedNode, without } from '../support/without.js';

test("node's listener is on every new server", () => {
  assert.ok(http.createServer().listeners('connection').includes(nodeListener));
  assert.ok(https.createServer().listeners('secureConnection').includes(nodeListener));
});

test('the options of a server are read', () => {
  class Own extends http.IncomingMessage {}
  const server = http.createServer({ IncomingMessage: Own, uniqueHeaders: ['X-One', 'X-Two'] });
  assert.equal(hasClass(server, 'IncomingMessage', Own), true);
  assert.equal(hasClass(server, 'IncomingMessage', http.IncomingMessage), false);
  assert.equal(hasClass(server, 'ServerResponse', http.ServerResponse), true);
  assert.deepEqual([...(uniqueHeadersOf(server) as Set<string>)], ['x-one', 'x-two']);
  assert.equal(uniqueHeadersOf(http.createServer()), null);
  const major = Number(process.versions.node.split('.', 1)[0]);
  const optimizing = http.createServer({ optimizeEmptyRequests: true } as http.ServerOptions);
  assert.equal(optimizesEmptyRequests(optimizing), major >= 24);
  assert.equal(optimizesEmptyRequests(http.createServer()), false);
});

test("node's listener is found among others, by its name", async () => {
  const change = `
    const Given = http.Server;
    http.Server = class Server extends Given {
      constructor(options) {
        super(options);
        this.prependListener('connection', function track() {});
      }
    };
  `;
  assert.equal(await inChangedNode(change, 'http-servers', 'part.nodeListener.name'), 'connectionListener');
});

test('options that a Node keeps elsewhere count as not set', async () => {
  const server =
    'http.createServer({ IncomingMessage: class extends http.IncomingMessage {}, optimizeEmptyRequests: true })';
  const asked = `((server) => [part.hasClass(server, 'IncomingMessage', http.IncomingMessage), part.optimizesEmptyRequests(server)])(${server})`;
  const change = without.symbol('IncomingMessage') + without.symbol('OptimizeEmptyRequestsOption');
  assert.deepEqual(await inChangedNode(change, 'http-servers', asked), [true, false]);
});

test('a Node whose servers have another listener for connections serves them itself', async () => {
  const takeover = JSON.stringify(compiled('src/http/server/takeover.js'));
  const change =
    "net.Server.prototype.on = function (event, listener) { return event === 'connection' ? this : net.Server.prototype.addListener.call(this, event, listener); };";
  const asked = `(() => { const { accelerate, explainAcceleration } = require(${takeover}); const server = http.createServer(); return [accelerate(server), explainAcceleration(server).reason]; })()`;
  assert.deepEqual(await inChangedNode(change, 'http-servers', asked), [false, 'listener-replaced']);
});

test('an option of a later Node is noticed where it is not the default', async () => {
  const change = `
    const Given = http.Server, kList = Symbol('kList');
    http.Server = class Server extends Given {
      constructor(options = {}) {
        super(options);
        this.later = options.later ?? 'default';
        this[kList] = options.list ?? {};
        this.laterCallback = options.callback ?? (() => true);
      }
    };
  `;
  const asked = `[{}, { later: 'x' }, { later: 1 }, { list: 1 }, { callback: () => false }].map((options) =>
    part.hasUnknownOption(new http.Server(options)))`;
  assert.deepEqual(await inChangedNode(change, 'http-servers', asked), [false, true, true, true, true]);
});

test('a class takes the place of the one that it inherits from, and of no other', () => {
  const Own = class extends http.IncomingMessage {};
  const server = http.createServer();
  putClass(server, 'IncomingMessage', Own);
  assert.ok(hasClass(server, 'IncomingMessage', Own));
  putClass(server, 'IncomingMessage', class extends http.IncomingMessage {});
  assert.ok(hasClass(server, 'IncomingMessage', Own, http.IncomingMessage));
  assert.ok(!hasClass(server, 'IncomingMessage', http.IncomingMessage));
  assert.ok(hasClass(server, 'ServerResponse', http.ServerResponse));
});
