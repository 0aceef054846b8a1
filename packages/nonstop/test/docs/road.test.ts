import assert = require('node:assert/strict');
import { once } from 'node:events';
import fs = require('node:fs');
import { Session, type Profiler } from 'node:inspector';
import net = require('node:net');
import path = require('node:path');
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { express } from '../../src/express/express.js';
import { compiled, inRepo } from '../support/paths.js';

/** The files that docs/internals/README.md names as those of a request: on the road, and in the table behind it. */
const page = fs.readFileSync(inRepo('docs/internals/README.md'), 'utf8');
const [, road = ''] = /^```\n(socket\n[^]*?)^```$/m.exec(page) ?? [];
const [, table = ''] = /^\| on the road \|[^\n]*\n\|[-|]*\n([^]*?)\n\n/m.exec(page) ?? [];
const onRoad = [...road.matchAll(/→ (\w+\/[\w/.-]+)|with (\w+\/[\w/.-]+)|[:;] (\w+\/[\w/-]+)|or (\w+\/[\w/-]+)/g)].map(
  (found) => found.slice(1).find((name) => name !== undefined)!,
);
const beside = [...table.matchAll(/`(\w+\/[\w/.-]+)`/g)].map(([, name]) => name);

const src = compiled('src');

/** The files of src of which a function ran. */
async function filesOf(run: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  const post = <Result>(method: string, parameters?: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result as Result)));
    });
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result.filter(
    ({ url, functions }) =>
      url.startsWith('file:') && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  return ran
    .map(({ url }) => path.relative(src, fileURLToPath(url)).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('..'))
    .map((file) => file.replace(/\.js$/, ''))
    .toSorted();
}

/** Sends a request on a new connection, which stays open. */
async function ask(port: number): Promise<net.Socket> {
  const client = net.connect(port, '127.0.0.1');
  client.write('GET /users/7 HTTP/1.1\r\nHost: a\r\n\r\n');
  let text = '';
  while (!text.endsWith('user 7')) text += String((await once(client, 'data'))[0]);
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  return client;
}

describe('the road of a request', async () => {
  const app = express();
  app.get('/users/:id', (req, res) => void res.send(`user ${req.params['id']}`));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  // The first request also decides who serves the server, and loads what is loaded late.
  const clients = [await ask(port)];
  // The engine's timer may run during one request, so only what runs for each of five has to be named.
  const runs: string[][] = [];
  while (runs.length < 5) runs.push(await filesOf(async () => void clients.push(await ask(port))));
  const passed = runs[0].filter((file) => runs.every((files) => files.includes(file)));
  for (const client of clients) client.destroy();
  server.close();

  test('the page names each file that runs for every request', () => {
    assert.deepEqual(
      passed.filter((file) => !onRoad.includes(file) && !beside.includes(file)),
      [],
    );
  });

  test('each file that it names beside the road runs for some request', () => {
    assert.ok(beside.length > 20);
    assert.deepEqual(
      beside.filter((file) => !runs.some((files) => files.includes(file))),
      [],
    );
  });
});
