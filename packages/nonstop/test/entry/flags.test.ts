import assert = require('node:assert/strict');
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { inPackage } from '../support/paths.js';
import { asking, runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

/** An application whose answers node's flags do not change. Its second argument is the engine's module, or empty for Express. */
const text = `${asking}
const [framework, engine] = process.argv.slice(1);
const express = require(framework);
const app = express();
app.use('/files', express.static(${JSON.stringify(inPackage())}));
app.get('/', (req, res) => res.send('hello'));
app.get('/fields', (req, res) => res.json([req.headers.host, req.get('x-a'), req.query, req.accepts('json'), req.ip]));
app.post('/', express.json(), (req, res) => res.json(req.body));
app.get('/throws', () => { throw new Error('thrown'); });
const fields = 'Host: a.test\\r\\nX-A: 1\\r\\n__proto__: p\\r\\nConnection: close\\r\\n';
const heads = [
  'GET / HTTP/1.1\\r\\n',
  'GET /fields?a=b&__proto__=c HTTP/1.1\\r\\n',
  'GET /fields HTTP/1.1\\r\\nExpect: 100-continue\\r\\n',
  'POST / HTTP/1.1\\r\\nContent-Type: application/json\\r\\nContent-Length: 7\\r\\n',
  'GET /files/LICENSE HTTP/1.1\\r\\n',
  'GET /throws HTTP/1.1\\r\\n',
  'GET /none HTTP/1.1\\r\\n',
];
(async () => {
  const server = app.listen(0, '127.0.0.1');
  const served = count(server);
  const answers = [];
  for (const head of heads) answers.push(await raw(server, head + fields + '\\r\\n' + (head.startsWith('POST') ? '{"a":1}' : '')));
  const fact = engine === '' ? served.engine === 0 : served.node === 0 && require(engine).isAccelerated(server);
  const steady = (answer) => answer.replace(/Date: .*/, '').replace(/(Error: thrown)[^]*/, '$1').replace(/Content-Length: \\d+(?=[^]*Error: thrown)/, '');
  process.stdout.write(JSON.stringify({ answers: answers.map(steady), fact }));
  server.close();
})();`;

const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag);

const permission = [
  has('--permission') ? '--permission' : '--experimental-permission',
  '--allow-fs-read=*',
  ...(has('--allow-net') ? ['--allow-net'] : []),
];

const rows: readonly (readonly string[])[] = [
  [],
  ['--disable-proto=delete'],
  ['--disable-proto=throw'],
  ['--frozen-intrinsics'],
  ['--jitless'],
  ['--disallow-code-generation-from-strings'],
  ['--stack-trace-limit=0'],
  permission,
];

const onWindows = process.platform === 'win32' && 'files are served by `send`, which does not load with this flag';

const env = { NODE_ENV: 'test', NO_DEPRECATION: '*' };

for (const [express, nonstop] of [
  ['express', 'index.js'],
  ['express4', 'v4.js'],
]) {
  describe(`${nonstop} under node's flags gives the answers of ${express} without them`, () => {
    let expected: { answers: string[]; fact: boolean };
    before(async () => {
      const { stdout } = await runProgram({ text, args: [express, ''], env });
      expected = JSON.parse(stdout) as typeof expected;
      assert.equal(expected.fact, true);
    });

    for (const flags of rows) {
      test(flags.join(' ') || 'none', { skip: flags.includes('--frozen-intrinsics') && onWindows }, async () => {
        const args = [path.join(subject, nonstop), path.join(subject, 'http.js')];
        const { stdout } = await runProgram({ text, flags, args, env });
        assert.deepEqual(JSON.parse(stdout), expected);
      });
    }
  });
}
