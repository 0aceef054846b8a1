import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import net = require('node:net');
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { LeftReason } from '../../src/http/server/acceleration.js';
import { host } from '../../src/http/host.js';
import { compiled } from '../support/paths.js';
import { runProgram } from '../support/run-program.js';
import { promise } from '../support/served.js';
import nonstopHttp = require('../../src/entry/http.js');

const additions = ['accelerate', 'isAccelerated', 'explainAcceleration'];
const engine = host.httpModule as typeof http;
const ours = ['createServer', 'Server', 'IncomingMessage', 'ServerResponse'] as const;

describe('nonstop/http', () => {
  test("has every name of node's http, and those of acceleration", () => {
    const missing = Object.getOwnPropertyNames(http).filter((name) => !(name in nonstopHttp));
    assert.deepEqual(missing, []);
    const added = Object.getOwnPropertyNames(nonstopHttp).filter((name) => !(name in http));
    assert.deepEqual(added, additions);
  });

  test('the published reasons are all reasons of the code', () => {
    // The package's types are written out by hand: the compiler compares them with those of the implementation.
    const published = (reason: LeftReason): nonstopHttp.LeftReason => reason;
    const told = (reason: nonstopHttp.LeftReason): LeftReason => reason;
    assert.equal(told(published('not-asked')), 'not-asked');
  });

  for (const name of ours) {
    test(`${name} is the engine's`, () => {
      assert.equal(nonstopHttp[name], engine[name as keyof typeof engine]);
      assert.notEqual(nonstopHttp[name], http[name]);
    });
  }

  test("classes have the static members of node's, and may be called or extended", () => {
    for (const name of ['Server', 'IncomingMessage', 'ServerResponse'] as const) {
      assert.equal(Object.getPrototypeOf(nonstopHttp[name]), http[name]);
      const Heir = class extends (nonstopHttp[name] as new (given: unknown) => object) {};
      const made = new Heir(name === 'ServerResponse' ? { method: 'GET' } : {});
      assert.ok(made instanceof Heir && made instanceof nonstopHttp[name], name);
      assert.ok(Object.keys(made).length > 5, `${name} has its state`);
    }
    const called = (nonstopHttp.Server as unknown as () => http.Server)();
    assert.ok(called instanceof nonstopHttp.Server && nonstopHttp.isAccelerated(called));
  });

  test("everything for clients is node's own", () => {
    for (const name of ['request', 'get', 'Agent', 'ClientRequest', 'globalAgent'] as const)
      assert.equal(nonstopHttp[name], http[name], name);
  });

  test("a setting that is changed on node's module is changed here too", () => {
    const before = http.globalAgent;
    const agent = new http.Agent();
    try {
      http.globalAgent = agent;
      assert.equal(nonstopHttp.globalAgent, agent);
    } finally {
      http.globalAgent = before;
    }
  });

  test('import gives the object that require gives, and its members by name', async () => {
    const imported = (await import('../../src/entry/http.mjs')) as Record<string, unknown>;
    assert.equal(imported['default'], nonstopHttp);
    for (const [name, value] of Object.entries(imported))
      if (name !== 'default') assert.equal(value, nonstopHttp[name as keyof typeof nonstopHttp], name);
    for (const name of [...additions, ...Object.keys(http)]) assert.ok(name in imported, name);
  });

  test('instanceof accepts what node makes', async () => {
    assert.ok(http.createServer() instanceof nonstopHttp.Server);
    assert.ok(new http.IncomingMessage(new net.Socket()) instanceof nonstopHttp.IncomingMessage);
    assert.ok(new http.ServerResponse({ method: 'GET' } as never) instanceof nonstopHttp.ServerResponse);
    assert.ok(!(new net.Server() instanceof nonstopHttp.Server));
    assert.ok(!(new http.ServerResponse({ method: 'GET' } as never) instanceof nonstopHttp.IncomingMessage));
    class Own extends nonstopHttp.IncomingMessage {}
    assert.ok(!(new http.IncomingMessage(new net.Socket()) instanceof Own));
    assert.ok(new Own(new net.Socket()) instanceof Own);
    const server = nonstopHttp.createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [answer] = await once(http.get({ port: (server.address() as AddressInfo).port, agent: false }), 'response');
    assert.ok(answer instanceof nonstopHttp.IncomingMessage);
    server.closeAllConnections();
    server.close();
  });

  // A program that has added methods to this module's classes runs on when its operator switches the engine off.
  test('messages are of its classes where node serves', async () => {
    const server = nonstopHttp.createServer({ insecureHTTPParser: true }, (req, res) => {
      const classes = [nonstopHttp.IncomingMessage, nonstopHttp.ServerResponse];
      const exact = [req, res].map((each, i) => classes[i].prototype === Object.getPrototypeOf(each));
      res.end(JSON.stringify([...exact, req.url, req.headers['x-a'], res.req === req]));
    });
    assert.deepEqual(nonstopHttp.explainAcceleration(server), { accelerated: false, reason: 'lenient-parser' });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/a`, { headers: { 'X-A': 'b' } });
    assert.deepEqual(await answer.json(), [true, true, '/a', 'b', true]);
    server.closeAllConnections();
    server.close();
  });

  test('its own classes among the options of a server are the usual ones, and others are not', () => {
    const { IncomingMessage, ServerResponse } = nonstopHttp;
    assert.ok(nonstopHttp.isAccelerated(nonstopHttp.createServer({ IncomingMessage, ServerResponse })));
    assert.ok(nonstopHttp.accelerate(http.createServer({ IncomingMessage, ServerResponse })));
    const Own = class extends IncomingMessage {};
    const server = nonstopHttp.createServer({ IncomingMessage: Own });
    assert.equal(nonstopHttp.explainAcceleration(server).reason, 'message-classes');
  });

  /** What an object has after a constructor was called for it, as programs do that inherit by `util.inherits()`. */
  const madeBy = (constructor: object, prototype: object, args: unknown[]): unknown[] => {
    const made = Object.create(Object.create(prototype) as object) as object;
    const returned: unknown = Reflect.apply(constructor as () => void, made, args);
    return [returned, Object.getOwnPropertyNames(made).toSorted(), (constructor as { length: number }).length];
  };
  const calls = [
    ['ServerResponse', [{ method: 'HEAD', headers: {}, httpVersionMajor: 1, httpVersionMinor: 1 }]],
    ['IncomingMessage', [new net.Socket()]],
    ['Server', [{}, () => {}]],
  ] as const;
  for (const [name, args] of calls) {
    test(`${name} can be called for an object that was made elsewhere`, () => {
      const of = (module: typeof http): unknown[] => madeBy(module[name], module[name].prototype, [...args]);
      assert.deepEqual(of(nonstopHttp as never), of(http));
    });
  }

  test('a server whose constructor was called for it is served by the engine', () => {
    const server = Object.create(nonstopHttp.Server.prototype) as http.Server;
    Reflect.apply(nonstopHttp.Server as never, server, [{}]);
    assert.equal(nonstopHttp.isAccelerated(server), true);
  });

  test('loads where a program has frozen the prototype of functions', async () => {
    const path = JSON.stringify(compiled('src', 'entry', 'http.js'));
    const text = `Object.freeze(Function.prototype); console.log(typeof require(${path}).createServer)`;
    assert.equal((await runProgram({ text })).stdout.trim(), 'function');
  });

  test('createServer gives a genuine server that answers', async () => {
    const server = nonstopHttp.createServer((req, res) => {
      res.end(`${req instanceof http.IncomingMessage} ${res instanceof http.ServerResponse} ${req.url}`);
    });
    assert.ok(server instanceof http.Server);
    promise(server, 'engine').listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/a`);
      assert.equal(await answer.text(), 'true true /a');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
