import assert from 'node:assert/strict';
import fs from 'node:fs';
import http2 from 'node:http2';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { folder } from '../support/folder.js';
import { Command, ask, freePort, programs, until, type Answered } from '../support/nonstop-command.js';

const cwd = programs({
  'app.cjs': `
    const express = require('express');
    const { Counter } = require('prom-client');
    const production = require('nonstop/production');
    const app = express();
    const orders = new Counter({ name: 'orders_total', help: 'Of the application.' });
    let broken = '';
    production.addCheck('database', () => { if (broken === 'database') throw new Error('no route to it'); });
    production.addCheck('memory', async () => broken !== 'memory', { kind: 'live' });
    const shop = express.Router({ mergeParams: true });
    shop.get('/orders/:order', (req, res) => { orders.inc(); res.send('an order'); });
    app.use('/shops/:shop', shop);
    app.get('/break/:what', (req, res) => { broken = req.params.what; res.end(); });
    app.get('/never', () => console.log('holds'));
    module.exports = app;`,
  'hangs.cjs': `
    let calls = 0, hanging, comeBack;
    require('nonstop/production').addCheck('database', () => { calls++; return hanging; });
    module.exports = (req, res) => {
      if (req.url === '/hang') hanging = new Promise((resolve) => (comeBack = resolve));
      if (req.url === '/come-back') { hanging = undefined; comeBack(); }
      res.end(calls + ' calls');
    };`,
  'waits.cjs': `
    const { existsSync } = require('node:fs');
    require('nonstop/production').addCheck('database', () => {
      if (!existsSync(process.argv[2])) throw new Error('no route to it');
    });
    module.exports = require('express')();`,
});

const options = ['--port', '0', '--host', '127.0.0.1', '--health-port', '0', '--metrics'];

/** The samples of a scrape, by name and labels. */
function samples({ body }: Answered): Map<string, number> {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('probes share a check that has not come back, and it is called again when it has', async () => {
  const command = new Command([...options.slice(0, 6), 'hangs.cjs'], { cwd });
  const { port, health } = await command.ready();
  const probe = async (): Promise<unknown> => JSON.parse((await ask(health, { path: '/readyz' })).body).checks.database;
  const calls = async (): Promise<string> => (await ask(port)).body;
  assert.deepEqual([await probe(), await calls()], ['ok', '2 calls']);
  await ask(port, { path: '/hang' });
  const late = 'not finished after 1000 ms';
  assert.deepEqual(await Promise.all([probe(), probe(), probe()]), [late, late, late]);
  assert.deepEqual([await probe(), await calls()], [late, '3 calls']);
  await ask(port, { path: '/come-back' });
  assert.deepEqual([await probe(), await calls()], ['ok', '4 calls']);
  assert.equal(await command.end('SIGINT'), 0);
});

for (const workers of [[], ['--workers', '2']]) {
  describe(`health and metrics ${workers.join(' ')}`, () => {
    test('the checks of the application are called, each kind by its endpoint', async () => {
      const command = new Command([...workers, ...options, 'app.cjs'], { cwd });
      const { port, health } = await command.ready();
      const state = async (): Promise<unknown[]> => {
        const answers = [await ask(health, { path: '/livez' }), await ask(health, { path: '/readyz?verbose' })];
        return answers.map(({ status, body }) => [status, JSON.parse(body).checks]);
      };
      const fine = [
        [200, { memory: 'ok' }],
        [200, { database: 'ok' }],
      ];
      assert.deepEqual(await state(), fine);
      // Connections go to the workers in turn, and a check fails when it fails in each of them.
      const broken = async (path: string, index: number): Promise<unknown[]> => {
        const asked = async (): Promise<unknown[]> => {
          await ask(port, { path });
          return state();
        };
        return until(asked, (found) => (found[index] as unknown[])[0] === 503);
      };
      assert.deepEqual(await broken('/break/database', 1), [fine[0], [503, { database: 'no route to it' }]]);
      assert.deepEqual(await broken('/break/memory', 0), [[503, { memory: 'failed' }], fine[1]]);
      assert.equal((await ask(health, { path: '/else' })).status, 404);
      assert.equal(await command.end('SIGINT'), 0);
    });

    test('before it is ready, the checks tell what it waits for', async () => {
      const health = await freePort();
      const sign = path.join(cwd, `there-${health}`);
      const args = ['--port', '0', '--host', '127.0.0.1', '--health-port', String(health), 'waits.cjs', sign];
      const command = new Command([...workers, ...args], { cwd });
      const asked = async (): Promise<unknown> => {
        const { status, body } = await ask(health, { path: '/readyz' }).catch(() => ({ status: 0, body: '{}' }));
        return [status, JSON.parse(body).checks];
      };
      const told = await until(asked, (found) => /no route/.test(JSON.stringify(found)));
      assert.deepEqual(told, [503, { process: 'starting', database: 'no route to it' }]);
      fs.writeFileSync(sign, '');
      await command.ready();
      assert.deepEqual(await asked(), [200, { database: 'ok' }]);
      assert.equal(await command.end('SIGINT'), 0);
    });

    test('metrics are summed over all processes, by the pattern of the route, with those of the application', async () => {
      const command = new Command([...workers, ...options, 'app.cjs'], { cwd });
      const { port, health } = await command.ready();
      for (let i = 0; i < 10; i++)
        await ask(port, { path: `/shops/${i}/orders/${i * 7}`, method: i % 2 ? 'GET' : 'HEAD' });
      for (let i = 0; i < 4; i++) await ask(port, { path: `/nothing/${i}`, method: 'POST' });
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('what is this\r\n\r\n');
      await once(socket.resume(), 'close');
      const waiting = net.connect(port, '127.0.0.1');
      waiting.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
      await command.line(/^holds$/);
      const scraped = samples(await ask(health, { path: '/metrics' }));
      const count = (labels: string): number | undefined =>
        scraped.get(`nonstop_http_request_duration_seconds_count{${labels}}`);
      assert.equal(count('method="GET",route="/shops/:shop/orders/:order",status="200"'), 5);
      assert.equal(count('method="HEAD",route="/shops/:shop/orders/:order",status="200"'), 5);
      assert.equal(count('method="POST",route="",status="404"'), 4);
      const bucket = `nonstop_http_request_duration_seconds_bucket{le="+Inf",method="POST",route="",status="404"}`;
      assert.equal(scraped.get(bucket), 4);
      assert.equal(scraped.get('orders_total'), 10);
      assert.equal(scraped.get('nonstop_http_refused_messages_total{code="HPE_INVALID_METHOD"}'), 1);
      assert.equal(scraped.get('nonstop_http_requests_in_flight'), 1);
      assert.equal(scraped.get('nonstop_http_connections{state="active"}'), 1);
      assert.ok(scraped.get('nonstop_http_bytes_total{direction="read"}')! > 14 * 50);
      assert.ok(scraped.get('nonstop_http_bytes_total{direction="written"}')! > 14 * 100);
      assert.ok(scraped.has('nonstop_event_loop_delay_seconds{stat="p99"}'));
      if (workers.length > 0) assert.equal(scraped.get('nonstop_workers{state="ready"}'), 2);
      waiting.destroy();
      const later = await until(
        async () => samples(await ask(health, { path: '/metrics' })),
        (found) => found.get('nonstop_http_requests_in_flight') === 0,
      );
      assert.equal(later.get('nonstop_http_requests_aborted_total'), 1);
      assert.equal(
        later.get('nonstop_http_request_duration_seconds_count{method="GET",route="/never",status="499"}'),
        1,
      );
      assert.equal(await command.end('SIGINT'), 0);
    });
  });
}

test('a process alone has the metrics that no sum over processes can have', async () => {
  const cwd = programs({
    'app.cjs': `
      require('prom-client').collectDefaultMetrics();
      module.exports = (req, res) => res.end();`,
  });
  for (const [workers, expected] of [
    [[], true],
    [['--workers', '1'], false],
  ] as const) {
    const command = new Command([...workers, ...options, 'app.cjs'], { cwd });
    const { health } = await command.ready();
    const found = samples(await ask(health, { path: '/metrics' }));
    assert.equal(Number(found.get('process_start_time_seconds')) > 1e9, expected);
    assert.equal(await command.end('SIGINT'), 0);
  }
});

test('an answer over HTTP/2 counts as sent if its client has it and gives up the rest of its request', async () => {
  const cwd = programs({
    'app.cjs': `
      require('node:http2').createServer((req, res) => {
        req.once('data', () => res.writeHead(413).end('no'));
      }).listen(process.env.PORT, process.env.HOST);`,
  });
  const command = new Command([...options, 'app.cjs'], { cwd });
  const { port, health } = await command.ready();
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':method': 'POST' }, { endStream: false });
  stream.write('a part that is too long');
  await once(stream.resume(), 'end');
  stream.close(http2.constants.NGHTTP2_CANCEL);
  await once(stream, 'close');
  session.close();
  const count = 'nonstop_http_request_duration_seconds_count{method="POST",route="",status=';
  const measured = async (): Promise<Map<string, number>> => samples(await ask(health, { path: '/metrics' }));
  const found = await until(measured, (all) => [...all.keys()].some((name) => name.startsWith(count)));
  assert.deepEqual([found.get(`${count}"413"}`), found.get(`${count}"499"}`)], [1, undefined]);
  assert.equal(await command.end('SIGINT'), 0);
});

test('a worker whose live checks fail while those of another pass is replaced, and all fail together without that', async () => {
  const cwd = programs({
    'app.cjs': `
      let broken = false;
      require('nonstop/production').addCheck('heap', () => !broken, { kind: 'live' });
      module.exports = (req, res) => { broken ||= req.url === '/break'; res.end(String(process.pid)); };`,
  });
  const command = new Command(['--workers', '2', ...options.slice(0, 6), 'app.cjs'], { cwd });
  const { port, health } = await command.ready();
  const live = async (): Promise<number> => (await ask(health, { path: '/livez' })).status;
  const { body: pid } = await ask(port, { path: '/break' });
  const told = new Promise<void>((resolve) => void command.line(/fails its live checks/).then(() => resolve()));
  let isTold = false;
  void told.then(() => (isTold = true));
  // Probes of one moment count once.
  for (let i = 0; i < 5; i++) assert.equal(await live(), 200);
  assert.equal(isTold, false);
  await until(live, () => isTold);
  await command.line(new RegExp(`worker ${pid} fails its live checks \\(heap\\)`));
  const others = async (): Promise<string[]> => [(await ask(port)).body, (await ask(port)).body];
  await until(others, (pids) => !pids.includes(pid) && new Set(pids).size === 2);
  await ask(port, { path: '/break' });
  await ask(port, { path: '/break' });
  assert.deepEqual([await live(), await live(), await live(), await live()], [503, 503, 503, 503]);
  assert.equal(command.lines.filter((line) => /fails its live checks/.test(line)).length, 1);
  assert.equal(await command.end('SIGINT'), 0);
});

test('a process whose server was closed is not ready', async () => {
  const app = `const server = require('node:http').createServer((req, res) => { res.end(); server.close(); });
    server.listen(0, '127.0.0.1'); setInterval(() => {}, 1000);`;
  const command = new Command([...options, 'app.cjs'], { cwd: programs({ 'app.cjs': app }) });
  const { port, health } = await command.ready();
  assert.equal((await ask(health, { path: '/readyz' })).status, 200);
  await ask(port);
  const { body } = await until(
    () => ask(health, { path: '/readyz' }),
    ({ status }) => status === 503,
  );
  assert.deepEqual(JSON.parse(body).checks, { process: 'no server listens' });
  assert.equal(await command.end('SIGINT'), 0);
});

test('the packages of the options are those of the application, wherever the command runs', async () => {
  const root = folder({
    'app.cjs': `require('prom-client').own(); module.exports = (req, res) => res.end();`,
    'node_modules/prom-client/index.js': `
      const real = require(${JSON.stringify(require.resolve('prom-client'))});
      const values = [];
      const register = { getMetricsAsJSON: async () => [{ name: 'own', help: 'x', type: 'gauge', aggregator: 'sum', values }] };
      module.exports = { ...real, register, own: () => values.push({ labels: {}, value: 1 }) };`,
  });
  for (const workers of [[], ['--workers', '1']]) {
    const command = new Command([...workers, ...options, path.join(root, 'app.cjs')], { cwd: '/' });
    const { health } = await command.ready();
    assert.match((await ask(health, { path: '/metrics' })).body, /^own 1$/m);
    assert.equal(await command.end('SIGINT'), 0);
  }
});

test('metrics of the application that fail are reported, and all others are sent', async () => {
  const app = `const { Gauge } = require('prom-client');
    new Gauge({ name: 'broken', help: 'Of the application.', collect() { throw new Error('no connection'); } });
    module.exports = (req, res) => res.end();`;
  const command = new Command([...options, 'app.cjs'], { cwd: programs({ 'app.cjs': app }) });
  const { health } = await command.ready();
  const scrape = await ask(health, { path: '/metrics' });
  assert.equal(scrape.status, 200);
  assert.ok(samples(scrape).has('nonstop_http_requests_in_flight'));
  await command.line(/^nonstop: metrics of the application: no connection$/);
  assert.equal(await command.end('SIGINT'), 0);
});

describe('the access log', () => {
  test('has a line for each request, with its route and without fields of another request', async () => {
    const command = new Command([...options.slice(0, 4), '--access-log', 'app.cjs'], { cwd });
    const { port } = await command.ready();
    await ask(port, { path: '/shops/1/orders/2?x=y', headers: { 'x-forwarded-for': '192.0.2.7' } });
    const [line] = await command.line(/^\{.*\/shops\/1.*$/);
    const { level, time, pid, hostname, ms, ...rest } = JSON.parse(line);
    assert.ok([level, time, pid, ms].every(Number.isFinite) && hostname !== '');
    assert.deepEqual(rest, {
      name: 'access',
      method: 'GET',
      url: '/shops/1/orders/2?x=y',
      route: '/shops/:shop/orders/:order',
      status: 200,
      address: '127.0.0.1',
      forwarded: '192.0.2.7',
      msg: 'GET /shops/1/orders/2?x=y 200',
    });
    assert.equal(await command.end('SIGINT'), 0);
  });

  test('has the address of a client that left', async () => {
    const command = new Command([...options.slice(0, 4), '--access-log', 'app.cjs'], { cwd });
    const { port } = await command.ready();
    const client = net.connect(port, '127.0.0.1');
    client.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
    await command.line(/^holds$/);
    client.destroy();
    const [line] = await command.line(/^\{.*\/never.*$/);
    const { status, address } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([status, address], [499, '127.0.0.1']);
    assert.equal(await command.end('SIGINT'), 0);
  });

  test('has the requests that are cut off', async () => {
    for (const atOnce of [false, true]) {
      const times = atOnce ? ['--drain-delay', '60s'] : ['--grace', '100ms', '--drain-delay', '0'];
      const command = new Command([...options.slice(0, 4), ...times, '--access-log', 'app.cjs'], { cwd });
      const { port } = await command.ready();
      const cut = assert.rejects(ask(port, { path: '/never' }));
      await command.line(/^holds$/);
      command.child.kill('SIGTERM');
      await command.line(/draining/);
      if (atOnce) await command.endAgain();
      await command.ended;
      await cut;
      const [line] = await command.line(/^\{.*\/never.*$/);
      assert.equal((JSON.parse(line) as { status: number }).status, 499);
    }
  });

  test('is written in pieces that the system does not split, so that the lines of several workers stay whole', async () => {
    // The first write waits, and those behind it would be joined to a long one.
    const slow = `const fs = require('node:fs'); const { write } = fs; let longest = 0, first = true;
      fs.write = (fd, text, ...rest) => {
        if (fd !== 1) return write(fd, text, ...rest);
        longest = Math.max(longest, Buffer.byteLength(text));
        if (!first) return write(fd, text, ...rest);
        first = false;
        setTimeout(() => { write(fd, text, ...rest); }, 300);
      };
      module.exports = (req, res) => res.end(String(longest));`;
    const command = new Command([...options.slice(0, 4), '--access-log', 'slow.cjs'], {
      cwd: programs({ 'slow.cjs': slow }),
    });
    const { port } = await command.ready();
    await Promise.all(Array.from({ length: 100 }, (_, i) => ask(port, { path: `/a-path-of-some-length/${i}` })));
    for (let i = 0; i < 100; i++) await command.line(new RegExp(`^\\{.*/${i}".*$`));
    const longest = Number((await ask(port)).body);
    assert.ok(longest > 1000 && longest <= 4096, String(longest));
    assert.equal(await command.end('SIGINT'), 0);
  });

  test('into a pipe whose reader pauses does not stop the service, nor its end', async () => {
    const command = new Command([...options.slice(0, 4), '--access-log', 'app.cjs'], { cwd });
    const { port } = await command.ready();
    command.child.stdout!.pause();
    const path = `/shops/1/${'x'.repeat(10_000)}`;
    // More than pipes and sockets hold, and than is kept.
    for (let i = 0; i < 250; i++) await ask(port, { path, timeout: 5000 });
    await command.line(/^nonstop: the access log is read too slowly$/);
    command.child.kill('SIGINT');
    await once(command.child, 'exit');
    assert.equal(command.child.exitCode, 0);
    command.child.stdout!.resume();
  });

  test('on a full disk reports the error once, and goes on when there is room', async () => {
    const fills = `const fs = require('node:fs'); const { writeSync, write } = fs; let full = true;
      const fault = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      fs.write = (fd, ...rest) => (fd === 1 && full ? setTimeout(rest.at(-1), 5, fault()) : write(fd, ...rest));
      fs.writeSync = (fd, ...rest) => { if (fd === 1 && full) throw fault(); return writeSync(fd, ...rest); };
      module.exports = (req, res) => { if (req.url === '/room') full = false; if (req.url === '/full') full = true; res.end(); };`;
    const command = new Command([...options.slice(0, 4), '--access-log', 'fills.cjs'], {
      cwd: programs({ 'fills.cjs': fills }),
    });
    const { port } = await command.ready();
    for (const url of ['/1', '/2', '/3']) assert.equal((await ask(port, { path: url })).status, 200);
    await command.line(/^nonstop: the access log cannot be written: ENOSPC: no space left on device, write$/);
    await ask(port, { path: '/room' });
    let lines = 0;
    for (
      const started = performance.now();
      performance.now() - started < 60_000 && lines === 0;
      lines = command.lines.filter((line) => line.includes('goes on')).length
    )
      await ask(port, { path: '/4' });
    assert.deepEqual(
      command.lines.filter((line) => /access log/.test(line)).map((line) => line.replace(/\d+/, 'N')),
      [
        'nonstop: the access log cannot be written: ENOSPC: no space left on device, write',
        'nonstop: the access log goes on; N of its lines are lost',
      ],
    );
    const known = command.lines.length;
    await ask(port, { path: '/full' });
    await command.line(/cannot be written/, known);
    assert.equal(await command.end('SIGINT'), 0);
  });
});
