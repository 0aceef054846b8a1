import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inDomain, WAYS_IN } from '../support/in-domain.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// Messages are made in the domain of their session, and belong to it or to the one that a program adds them to. The oracle is node:http2.

/** Prints the domain of handlers and listeners, and where their errors go. */
const PROGRAM = `${inDomain}
  const http2 = require('node:http2');
  const adds = (message) => {
    const own = require('node:domain').create();
    own.on('error', hears('own'));
    own.add(message);
    return () => { found.push('own ' + (process.domain === own)); throw new Error('listener'); };
  };
  const places = {
    handler: (req, res) => { res.end(); thrown('handler'); },
    timer: (req, res) => setTimeout(() => { res.end(); thrown('timer'); }),
    data: (req, res) => req.on('data', () => { res.end(); thrown('data'); }),
    end: (req, res) => req.resume().on('end', () => { res.end(); thrown('end'); }),
    finish: (req, res) => { res.on('finish', () => thrown('finish')); res.end(); },
    callback: (req, res) => res.end('x', () => thrown('callback')),
    close: (req, res) => { res.on('close', () => thrown('close')); res.end(); },
    error: (req, res) => { res.end('x'); req.emit('error', new Error('emitted')); },
    added: (req, res) => { const fail = adds(req); req.on('data', () => { res.end(); fail(); }); },
    finished: (req, res) => { res.on('finish', adds(res)); res.end('x'); },
  };
  const handler = (req, res) => {
    const ours = Object.getOwnPropertySymbols(req).some(({ description }) => description === 'nonstop.stream');
    found.push([process.domain, req.domain, res.domain].map((each) => each === domain).join());
    if (ours !== (module !== 'node:http2')) found.push('made by the other');
    asked();
    places[req.url.slice(1)](req, res);
  };
  let server;
  const create = () => { server = door.createServer(handler); };
  const listen = () => server.listen(0, '127.0.0.1');
  WAY
  const visit = async (place) => {
    const session = http2.connect('http://127.0.0.1:' + server.address().port).on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': '/' + place }).on('error', () => {}).resume();
    const done = new Promise((tell) => { told = tell; });
    await new Promise((ask) => { asked = ask; });
    stream.end('body');
    await done;
    session.destroy();
    await new Promise((resolve) => session.on('close', resolve));
  };
  server.once('listening', async () => {
    for (const place of Object.keys(places)) { found.push('-- ' + place); await visit(place); }
    console.log(JSON.stringify(found));
    process.exit();
  });
`;

for (const [name, way] of Object.entries(WAYS_IN)) {
  for (const when of ['first', 'later']) {
    test(`a server of HTTP/2 that ${name}, domains loaded ${when}`, async () => {
      const text = PROGRAM.replace('WAY', () => way);
      const [expected, actual] = await Promise.all(
        ['node:http2', `${subject}/http2.js`].map(async (module) => {
          const { stdout } = await runProgram({ text, args: [module, when] });
          return JSON.parse(stdout) as string[];
        }),
      );
      assert.deepEqual(actual, expected);
    });
  }
}
