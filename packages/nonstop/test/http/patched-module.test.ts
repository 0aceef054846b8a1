import assert = require('node:assert/strict');
import path = require('node:path');
import { test } from 'node:test';
import { asking, runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

/** Programs that replace node's classes so that the engine serves every server. */
const patches: Record<string, string> = {
  'createServer and Server': 'Object.assign(http, { createServer: nonstop.createServer, Server: nonstop.Server });',
  'everything that is not a getter':
    'for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(nonstop))) if (value) http[name] = value;',
};

const makes: Record<string, string> = {
  'createServer()': 'http.createServer(handler)',
  'new Server()': 'new http.Server(handler)',
  "an application's listen()": `(() => { const app = framework(); app.use(handler); return app.listen(0, '127.0.0.1'); })()`,
};

for (const [what, patch] of Object.entries(patches)) {
  for (const [how, make] of Object.entries(makes)) {
    test(`node:http with ${what} of nonstop/http serves by ${how}`, async () => {
      const text = `${asking}
        const http = require('node:http');
        const [, httpEntry, entry] = process.argv;
        const nonstop = require(httpEntry);
        const framework = require(entry);
        ${patch}
        // A request with a body, and an answer that node's code finishes.
        const handler = (req, res) => req.on('end', () => { res.write('a', () => res.end('b')); }).resume();
        const server = ${make};
        const served = count(server);
        ask(server, { method: 'POST' }, 'x').then(({ body }) => { server.close(); console.log(JSON.stringify({ body, served })); });`;
      const args = [path.join(subject, 'http.js'), path.join(subject, 'index.js')];
      const { stdout } = await runProgram({ text, args });
      assert.deepEqual(JSON.parse(stdout), { body: 'ab', served: { engine: 1, node: 0 } });
    });
  }
}
