import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { inDomain, WAYS_IN } from '../support/in-domain.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// node's parser belongs to the domain in which the connection came to the server: handlers start in it, and requests and responses are made
// in it, so that it gets what their listeners throw. The same holds on the engine.

/** How a server gets into the domain. */
const WAYS: Readonly<Record<string, string>> = {
  ...WAYS_IN,
  'listens in it': 'create(); domain.run(listen);',
  "has a listener for 'connection' that enters it":
    "create(); server.prependListener('connection', () => domain.enter()); server.on('connection', () => domain.exit()); listen();",
};

/** Prints what handlers and listeners find, and who gets what they throw. */
const PROGRAM = `${inDomain}
  const net = require('node:net');
  const places = {
    handler: (req, res) => { res.end(); thrown('handler'); },
    tick: (req, res) => process.nextTick(() => { res.end(); thrown('tick'); }),
    timer: (req, res) => setTimeout(() => { res.end(); thrown('timer'); }),
    data: (req, res) => req.on('data', () => { res.end(); thrown('data'); }),
    end: (req, res) => req.resume().on('end', () => { res.end(); thrown('end'); }),
    closed: (req, res) => { req.on('close', () => thrown('closed')); res.end(); },
    finish: (req, res) => { res.on('finish', () => thrown('finish')); res.end(); },
    callback: (req, res) => res.end('x', () => thrown('callback')),
    close: (req, res) => { res.on('close', () => thrown('close')); res.end(); },
    upgrade: () => thrown('upgrade'),
    own: (req, res) => {
      const own = require('node:domain').create();
      own.on('error', hears('own'));
      own.add(req);
      req.on('data', () => { res.end(); found.push('own ' + (process.domain === own)); throw new Error('data'); });
    },
  };
  const handler = (req, res) => {
    found.push([process.domain, req.domain, res.domain].map((each) => each === domain).join());
    asked();
    places[req.url.slice(1)](req, res);
  };
  let server;
  const create = () => { server = door.createServer(handler).on('upgrade', handler); };
  const listen = () => server.listen(0, '127.0.0.1');
  WAY
  const visit = async (place) => {
    const client = net.connect(server.address().port, '127.0.0.1').resume().on('error', () => {});
    const field = place === 'upgrade' ? 'Connection: Upgrade\\r\\nUpgrade: x' : 'Content-Length: 4';
    client.write('POST /' + place + ' HTTP/1.1\\r\\nHost: a\\r\\n' + field + '\\r\\n\\r\\n');
    const done = new Promise((tell) => { told = tell; });
    await new Promise((ask) => { asked = ask; });
    client.write('body');
    await done;
    // An error keeps some connections open, on both engines.
    const closed = new Promise((end) => client.closed ? end() : client.on('close', end));
    client.destroy();
    await closed;
  };
  server.once('listening', async () => {
    for (const place of Object.keys(places)) { found.push('-- ' + place); await visit(place); }
    console.log(JSON.stringify({ found, engine: door.isAccelerated?.(server) ?? false }));
    process.exit();
  });
`;

for (const [name, way] of Object.entries(WAYS)) {
  for (const when of ['first', 'later']) {
    test(`a server that ${name}, domains loaded ${when}`, async () => {
      const text = PROGRAM.replace('WAY', () => way);
      const [expected, actual] = await Promise.all(
        ['node:http', `${subject}/http.js`].map(async (module) => {
          const { stdout } = await runProgram({ text, args: [module, when] });
          return JSON.parse(stdout) as { found: string[]; engine: boolean };
        }),
      );
      assert.deepEqual(actual, { ...expected, engine: true });
    });
  }
}
