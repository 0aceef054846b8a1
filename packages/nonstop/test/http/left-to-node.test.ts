import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { accelerate, explainAcceleration, isAccelerated, subject } from '../support/subject.js';
import { doors } from '../support/doors.js';
import { play } from '../support/both-doors.js';

class OwnRequest extends http.IncomingMessage {}
class OwnResponse extends http.ServerResponse {}

// Servers that the engine does not serve keep node's parser and classes, for all their requests.
const left: Record<string, readonly [make: () => http.Server, reason: string]> = {
  'a request class of its own': [() => http.createServer({ IncomingMessage: OwnRequest }), 'message-classes'],
  'a response class of its own': [() => http.createServer({ ServerResponse: OwnResponse }), 'message-classes'],
  'a lenient parser': [() => http.createServer({ insecureHTTPParser: true }), 'lenient-parser'],
  'relaxed validation': [
    () => http.createServer({ httpValidation: 'relaxed' } as http.ServerOptions),
    'lenient-parser',
  ],
  'no listener of node to replace': [() => http.createServer().removeAllListeners('connection'), 'listener-replaced'],
  'a request class of its own, over TLS': [
    () => https.createServer({ IncomingMessage: OwnRequest }),
    'message-classes',
  ],
};

for (const [name, [make, reason]] of Object.entries(left)) {
  // Only Node 26 has this option.
  const unknown = name === 'relaxed validation' && !('httpValidation' in make());
  test(
    `a server with ${name} stays with node`,
    { skip: unknown && 'this version of Node has no httpValidation' },
    () => {
      const server = make();
      assert.deepEqual(explainAcceleration(server), { accelerated: false, reason: 'not-asked' });
      const before = [...server.listeners('connection'), ...server.listeners('secureConnection')];
      assert.equal(accelerate(server), false);
      assert.equal(accelerate(server), false);
      assert.deepEqual([...server.listeners('connection'), ...server.listeners('secureConnection')], before);
      assert.deepEqual(explainAcceleration(server), { accelerated: false, reason });
      assert.equal(isAccelerated(server), false);
      for (const own of ['closeAllConnections', 'closeIdleConnections'])
        assert.equal(Object.hasOwn(server, own), false);
    },
  );
}

const decides = `
  delete process.env.NODE_OPTIONS;
  const http = require(process.argv[1]);
  const server = http.createServer(process.env.OPTIONS ? JSON.parse(process.env.OPTIONS) : {});
  console.log(http.accelerate(server), http.explainAcceleration(server).reason);
`;

// Under each of them node's parser accepts octets that RFC 9110 §5.5 forbids, which programs may count on.
const flags: Record<string, readonly [flags: string[], env: NodeJS.ProcessEnv, decision: string]> = {
  'no flag': [[], {}, 'true undefined'],
  '--insecure-http-parser': [['--insecure-http-parser'], {}, 'false lenient-parser'],
  'the flag with underscores': [['--insecure_http_parser'], {}, 'false lenient-parser'],
  'NODE_OPTIONS, which the program deletes': [[], { NODE_OPTIONS: '--insecure-http-parser' }, 'false lenient-parser'],
  'the flag and its opposite': [['--insecure-http-parser', '--no-insecure-http-parser'], {}, 'true undefined'],
  'the flag and insecureHTTPParser: false': [
    ['--insecure-http-parser'],
    { OPTIONS: '{"insecureHTTPParser":false}' },
    'true undefined',
  ],
};

for (const [name, [args, env, decision]] of Object.entries(flags)) {
  test(`a lenient parser: ${name}`, async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...args, '-e', decides, path.join(subject, 'http.js')],
      { env: { ...process.env, ...env } },
    );
    assert.equal(stdout.trim(), decision);
  });
}

test('a value that is not an http.Server is refused', () => {
  const server = net.createServer();
  assert.deepEqual(explainAcceleration(server as http.Server), { accelerated: false, reason: 'not-a-server' });
  assert.equal(accelerate(server as http.Server), false);
  assert.deepEqual(explainAcceleration(server as http.Server), { accelerated: false, reason: 'not-a-server' });
});

test('a server with insecureHTTPParser false does not stay with node', () => {
  assert.equal(accelerate(http.createServer({ insecureHTTPParser: false })), true);
});

test('a server with its own classes serves a request that is lenient input', async () => {
  const classes = { IncomingMessage: OwnRequest, ServerResponse: OwnResponse } as unknown as http.ServerOptions;
  const node = await play(doors[0], {
    name: '',
    options: { ...classes, insecureHTTPParser: true },
    // obs-fold, which the strict parser refuses.
    send: 'GET / HTTP/1.1\r\nHost: a\r\nX-Fold: a\r\n b\r\n\r\n',
    handler: (req, res, log) => {
      log('req', 'seen', [req instanceof OwnRequest, res instanceof OwnResponse, req.headers['x-fold']]);
      res.end();
    },
    setup: (server) => assert.equal(accelerate(server), false),
  });
  assert.deepEqual(node.events, { req: [['seen', [true, true, 'a b']]] });
});

test('a server that was taken over reports it, until its listener is removed', () => {
  for (const server of [http.createServer(), https.createServer()]) {
    assert.equal(accelerate(server), true);
    assert.equal(isAccelerated(server), true);
    assert.deepEqual(explainAcceleration(server), { accelerated: true, reason: undefined });
    server.removeAllListeners('connection').removeAllListeners('secureConnection');
    assert.equal(isAccelerated(server), false);
    assert.deepEqual(explainAcceleration(server), { accelerated: false, reason: 'listener-replaced' });
  }
});
