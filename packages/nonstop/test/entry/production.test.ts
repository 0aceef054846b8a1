import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type production from '../../src/entry/production.js';
import { ask, noReplacing } from '../support/nonstop-command.js';
import { subject } from '../support/subject.js';

const entry = (name: string): string => path.join(subject, name);
/** Gives the program a signal. On Windows only the console can send one that node emits; any other ends the process at once. */
const giving = `const signal = (name) => {
  if (process.platform !== 'win32') process.kill(process.pid, name);
  else setImmediate(() => process.emit(name, name, require('node:os').constants.signals[name]));
};`;

const loaded = require(entry('production.js')) as typeof production;

describe('nonstop/production', () => {
  test('is one instance in every way of loading it', async () => {
    const imported = (await import(pathToFileURL(entry('production.mjs')).href)) as Record<string, unknown>;
    assert.equal(imported['default'], loaded);
    const { default: _, ...named } = imported;
    assert.deepEqual(Object.keys(named), Object.keys(loaded).toSorted());
    for (const [name, value] of Object.entries(named)) assert.equal(value, loaded[name as keyof typeof loaded]);
  });

  test('is not loaded by any other part of the package', async () => {
    const program = `
      for (const name of ['index', 'v4', 'http', 'register']) require(${JSON.stringify(subject)} + '/' + name + '.js');
      console.log(JSON.stringify(Object.keys(require.cache).filter((file) => /production|cluster/.test(file))
        .concat(process.moduleLoadList.filter((part) => /NativeModule cluster/.test(part)))));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
    assert.deepEqual(JSON.parse(stdout), []);
  });

  test('refuses unknown options and wrong values, each in one line', async () => {
    const code = 'ERR_NONSTOP_OPTION';
    const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ prot: 80 }, 'unknown option: prot'],
      [{ port: '80 ' }, "port is '80 ', and must be a port from 0 to 65535"],
      [
        { grace: Number.NaN },
        "grace is NaN, and must be milliseconds up to 2147483647 (24.8 days), or a time such as '20s'",
      ],
      [{ metrics: 'yes' }, "metrics is 'yes', and must be true or false"],
      [{ clientAddress: 'header' }, "clientAddress is 'header', and must be 'socket' or 'forwarded'"],
      [{ grace: '' }, "grace is '', and must be milliseconds up to 2147483647 (24.8 days), or a time such as '20s'"],
      [{ workers: 2 }, 'workers is 2, and must be 0: serve() is one process, supervise() has workers'],
      [{ port: 4100, healthPort: 4100 }, 'healthPort is 4100, and must be another port than that of the application'],
      [{ maxRequests: 1.5 }, 'maxRequests is 1.5, and must be a whole number from 0'],
      [{ maxRequests: () => 5 }, 'maxRequests is a function, and must be a whole number from 0'],
      [{ port: 65_536 }, 'port is 65536, and must be a port from 0 to 65535'],
      [{ host: '' }, "host is '', and must be an address of this machine, or a host name"],
      [{ host: 127 }, 'host is 127, and must be an address of this machine, or a host name'],
    ];
    for (const [options, message] of wrong)
      await assert.rejects(
        loaded.serve(() => {}, options),
        { code, message },
      );
  });

  test('supervise() refuses to start no worker', async () => {
    const message = 'workers is 0, and must be at least 1: serve() is one process';
    await assert.rejects(loaded.supervise(__filename, { workers: 0 }), { code: 'ERR_NONSTOP_OPTION', message });
  });

  test('serve() refuses what cannot answer a request, before it listens', async () => {
    const refused: readonly (readonly [target: unknown, given: string])[] = [
      [undefined, 'undefined'],
      [null, 'null'],
      [{ default: () => {} }, 'a value of type object'],
      [Promise.resolve(() => {}), 'a value of type object'],
      ['app.js', 'a value of type string'],
    ];
    for (const [target, given] of refused)
      await assert.rejects(loaded.serve(target, { port: 0, host: '127.0.0.1', signals: false }), {
        code: 'ERR_NONSTOP_NO_SERVER',
        message: `serve() got ${given}, and needs an http.Server, an application or a handler. Look at what its file exports`,
      });
  });

  test('hooks, checks and listeners of the drain are checked when they are added', () => {
    const { onShutdown, onDrain, addCheck } = loaded as unknown as Record<string, (...args: unknown[]) => unknown>;
    const wrong: readonly (readonly [add: () => unknown, message: string])[] = [
      [() => onShutdown('x'), 'the hook of onShutdown() is undefined, and must be a function'],
      [() => onShutdown(() => {}), 'the hook of onShutdown() is undefined, and must be a function'],
      [() => onDrain('x'), "the listener of onDrain() is 'x', and must be a function"],
      [() => addCheck('x'), 'the check of addCheck() is undefined, and must be a function'],
      [() => addCheck('x', () => {}, { kind: 'bogus' }), "kind is 'bogus', and must be 'ready' or 'live'"],
      ...[-5, 'soon', ''].map((timeout): readonly [() => unknown, string] => [
        () => onShutdown('x', () => {}, { timeout }),
        `timeout is ${typeof timeout === 'string' ? `'${timeout}'` : timeout}, and must be milliseconds up to 2147483647 (24.8 days), or a time such as '20s'`,
      ]),
    ];
    for (const [add, message] of wrong) assert.throws(add, { code: 'ERR_NONSTOP_OPTION', message });
  });

  /** Runs a program that serves, and sends itself SIGTERM. @returns its output */
  const ended = async (before: string, options: string, client = ''): Promise<{ stdout: string; stderr: string }> => {
    const text = `${giving}
      const production = require(${JSON.stringify(entry('production.js'))});
      ${before}
      const app = (req, res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\\n\\n');
      production.serve(app, { port: 0, host: '127.0.0.1', ${options} }).then(async ({ server }) => {
        ${client}
        signal('SIGTERM');
      });`;
    return promisify(execFile)(process.execPath, ['-e', text], { timeout: 20_000 });
  };

  test('a signal whose first listener is older than serve() drains, and then calls it', async () => {
    for (const add of ['on', 'once']) {
      const before = `process.${add}('SIGTERM', () => console.log('heard', production.phase()));`;
      const { stdout, stderr } = await ended(before, '');
      assert.equal(stdout, 'heard closed\n');
      assert.match(stderr, /drained, nothing was cut/);
    }
  });

  test('the time of a hook may be text, as times of the options', async () => {
    const before = `production.onShutdown('slow', () => new Promise((done) => setTimeout(done, 50)), { timeout: '10s' });`;
    const { stderr } = await ended(before, '');
    assert.match(stderr, /drained, nothing was cut/);
  });

  test('event streams end before the rest is cut, however short the grace period is', async () => {
    const client = `await new Promise((read) => {
      const { port } = server.address();
      require('node:http').get({ port, host: '127.0.0.1' }, (answer) => {
        answer.once('data', read).on('end', () => console.log('end')).on('error', (error) => console.log(error.code));
      });
    });`;
    const { stdout, stderr } = await ended('', "grace: 400, streamLimit: '5s'", client);
    assert.equal(stdout, 'end\n');
    assert.match(stderr, /drained, nothing was cut/);
  });

  test('a second serve() goes on with the metrics of the first', async () => {
    const text = `
      const { serve } = require(${JSON.stringify(entry('production.js'))});
      const answer = (req, res) => res.end();
      const where = { port: 0, host: '127.0.0.1', signals: false };
      const at = (server, path) => fetch('http://127.0.0.1:' + server.address().port + path).then((got) => got.text());
      (async () => {
        const first = await serve(answer, { ...where, metrics: true, healthPort: 0 });
        await at(first.server, '/');
        const second = await serve(answer, where);
        await at(first.server, '/');
        await at(second.server, '/');
        const metrics = await at(first.health, '/metrics');
        console.log(/duration_seconds_count\\{.*\\} (\\d+)/.exec(metrics)[1]);
        process.exit();
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', text], { timeout: 20_000 });
    assert.equal(stdout, '3\n');
  });

  /** Runs a program with `production`, serve(), `where`, `answer` and `out`, which keeps what a promise fails with. */
  const running = (body: string): Promise<{ stdout: string; stderr: string }> => {
    const text = `${giving}
      const production = require(${JSON.stringify(entry('production.js'))});
      const { serve } = production;
      const answer = (req, res) => res.end();
      const where = { port: 0, host: '127.0.0.1', signals: false };
      const out = (serving) => serving.then(() => console.log('serves'), ({ code, message }) => console.log(code, message));
      (async () => {
        ${body}
      })();`;
    return promisify(execFile)(process.execPath, ['-e', text], { timeout: 20_000 });
  };

  test('a signal drains once with two targets, with the times of the first serve()', async () => {
    const { stdout, stderr } = await running(`
      const slow = (req, res) => {
        signal('SIGTERM');
        setTimeout(() => res.end('answered'), 500);
      };
      const first = await serve(slow, { ...where, signals: true, grace: 60_000 });
      await serve(answer, { ...where, signals: true, grace: 0 });
      process.on('SIGTERM', () => console.log('heard'));
      const { port } = first.server.address();
      console.log(await fetch('http://127.0.0.1:' + port).then((got) => got.text(), () => 'cut'));`);
    assert.equal(stdout, 'answered\nheard\n');
    assert.equal(stderr, 'nonstop: SIGTERM: draining\nnonstop: drained, nothing was cut\n');
  });

  test('after a serve() that failed, a signal drains with the times of the next one', async () => {
    const { stderr } = await running(`
      const taken = require('node:http').createServer().listen(0, '127.0.0.1');
      await new Promise((listens) => taken.once('listening', listens));
      const { port } = taken.address();
      await out(serve(answer, { ...where, signals: true, port, drainDelay: '10m' }));
      await serve(answer, { ...where, signals: true });
      signal('SIGTERM');`);
    assert.equal(stderr, 'nonstop: SIGTERM: draining\nnonstop: drained, nothing was cut\n');
  });

  test(
    'SIGHUP goes to the listeners of the program; without one a line says that it does nothing',
    { skip: noReplacing },
    async () => {
      const { stdout, stderr } = await running(`
      await serve(answer, { ...where, signals: true });
      const hangUp = async () => {
        signal('SIGHUP');
        // The loop looks for signals between the two.
        await new Promise((done) => setTimeout(() => setImmediate(done), 50));
      };
      await hangUp();
      process.on('SIGHUP', (...given) => console.log('heard', ...given));
      await hangUp();
      process.exit();`);
      assert.equal(stdout, 'heard SIGHUP 1\n');
      assert.equal(stderr, 'nonstop: SIGHUP: nothing is replaced without --workers\n');
    },
  );

  test('limits are those of the process: a second serve() may not have others', async () => {
    const { stdout } = await running(`
      const taken = require('node:http').createServer().listen(0, '127.0.0.1');
      await new Promise((listens) => taken.once('listening', listens));
      const { port } = taken.address();
      await out(serve(answer, { ...where, port, maxRequests: 5 }));
      const held = [];
      const first = await serve((req, res) => held.push(res), { ...where, maxRequests: 1 });
      await out(serve(answer, { ...where, maxRequests: 100 }));
      await out(serve(answer, { ...where, maxDelay: 200 }));
      await out(serve(answer, { ...where, maxRequests: 1 }));
      await out(serve(answer, where));
      const asked = [1, 2].map(() => fetch('http://127.0.0.1:' + first.server.address().port));
      console.log((await Promise.race(asked)).status);
      process.exit();`);
    const [failed, ...lines] = stdout.split('\n');
    assert.match(failed, /^ERR_NONSTOP_LISTEN /);
    const wrong = 'as given before: limits are those of the whole process, so give them in one place';
    assert.deepEqual(lines, [
      `ERR_NONSTOP_OPTION maxRequests is 100, and must be 1, ${wrong}`,
      `ERR_NONSTOP_OPTION maxRequests is 0, and must be 1, ${wrong}`,
      'serves',
      'serves',
      '503',
      '',
    ]);
  });

  test('a serve() that fails beside another leaves no limits', async () => {
    const { stdout } = await running(`
      const { server } = await serve(answer, where);
      const { port } = server.address();
      await out(serve(answer, { ...where, port, maxRequests: 1 }));
      await out(serve(answer, { ...where, maxRequests: 5 }));
      process.exit();`);
    assert.match(stdout, /^ERR_NONSTOP_LISTEN .*\nserves\n$/);
  });

  test('the limits of an application that listens only after the readyTimeout count', async () => {
    const { stdout } = await running(`
      setTimeout(() => {}, 20_000);
      const server = require('node:http').createServer((req, res) => setTimeout(() => res.end(), 300));
      let begin;
      const listens = new Promise((resolve) => server.once('listening', resolve));
      const application = {
        server,
        ready: () => new Promise((resolve) => { begin = resolve; }),
        listen: async (options) => void server.listen(options),
      };
      await out(serve(application, { ...where, readyTimeout: 1, maxRequests: 1 }));
      begin();
      await listens;
      const ask = () => fetch('http://127.0.0.1:' + server.address().port);
      console.log((await Promise.all([ask(), ask()])).map(({ status }) => status).sort().join());
      process.exit();`);
    assert.match(stdout, /^ERR_NONSTOP_NOT_READY .*\n200,503\n$/);
  });

  test('an application that fails after the readyTimeout leaves no limits', async () => {
    const { stdout } = await running(`
      setTimeout(() => {}, 20_000);
      let fail;
      const server = require('node:http').createServer();
      const application = { server, ready: () => new Promise((_, reject) => { fail = reject; }), listen() {} };
      await out(serve(application, { ...where, readyTimeout: 1, maxRequests: 1 }));
      fail(new Error('no database'));
      await new Promise(setImmediate);
      await out(serve(answer, { ...where, maxRequests: 5 }));
      process.exit();`);
    assert.match(stdout, /^ERR_NONSTOP_NOT_READY .*\nserves\n$/);
  });

  test('serve() serves an application of Fastify, on all addresses without a host', async () => {
    const { stdout } = await running(`
      const app = require('fastify')();
      app.get('/', async () => 'hello');
      const { server } = await serve(app, { port: 0, signals: false, keepAlive: '7s' });
      const { address, port } = server.address();
      const answer = await fetch('http://127.0.0.1:' + port);
      console.log(answer.status, answer.headers.get('keep-alive'), address.replace('::', '0.0.0.0'));
      process.exit();`);
    assert.equal(stdout, '200 timeout=7 0.0.0.0\n');
  });

  test('serve() goes on with an application of Fastify that listens already', async () => {
    const { stdout } = await running(`
      const app = require('fastify')();
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.server.address();
      const { server } = await serve(app, where);
      console.log(server.address().port === port);
      process.exit();`);
    assert.equal(stdout, 'true\n');
  });

  test('the function that removes a check leaves a later one of the same name', async () => {
    const { stdout } = await running(`
      const remove = production.addCheck('database', () => true);
      production.addCheck('database', () => false);
      remove();
      await out(serve(answer, { ...where, readyTimeout: 1 }));
      process.exit();`);
    assert.match(stdout, /^ERR_NONSTOP_NOT_READY .*: check database: failed\n$/);
  });

  test('a listener of the drain that calls drain() begins no second one', async () => {
    const { stdout } = await running(`
      const heard = (name) => () => { console.log(name); production.drain(); };
      production.onDrain(heard('listener'));
      production.draining.addEventListener('abort', heard('signal'));
      const report = await production.drain();
      console.log(report.failed.length, report === (await production.drain()));
      process.exit();`);
    assert.equal(stdout, 'signal\nlistener\n0 true\n');
  });

  test('a serve() that fails closes its health port', async () => {
    const other = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const free = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const healthPort = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const { port } = other.address() as AddressInfo;
    const options = { port, host: '127.0.0.1', signals: false, healthPort };
    for (const _ of ['once', 'twice'])
      await assert.rejects(
        loaded.serve(() => {}, options),
        { code: 'ERR_NONSTOP_LISTEN', message: `127.0.0.1 port ${port} is in use by another process (EADDRINUSE)` },
      );
    other.close();
  });

  test('serve() reports a port in use', async () => {
    const other = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const target: http.RequestListener = (_req, res) => void res.end();
    await assert.rejects(
      loaded.serve(target, { port, host: '127.0.0.1', signals: false }),
      ({ name, code, message, cause }: NodeJS.ErrnoException) => {
        assert.deepEqual([name, code], ['ProductionError', 'ERR_NONSTOP_LISTEN']);
        assert.equal(message, `127.0.0.1 port ${port} is in use by another process (EADDRINUSE)`);
        assert.equal((cause as NodeJS.ErrnoException).code, 'EADDRINUSE');
        return true;
      },
    );
    other.close();
  });

  test('serve() serves, drain() ends it', async () => {
    assert.equal(loaded.phase(), 'starting');
    const order: string[] = [];
    loaded.onDrain(({ streamsEndAt, cutAt }) => order.push(`notice ${cutAt - streamsEndAt}`));
    loaded.onShutdown('database', () => order.push('database'));
    let asked = 0;
    loaded.addCheck('second time', () => ++asked > 1);
    const service = await loaded.serve(
      (_req: http.IncomingMessage, res: http.ServerResponse) => void res.end('served'),
      {
        port: 0,
        host: '127.0.0.1',
        healthPort: 0,
        drainDelay: 0,
        streamLimit: 1000,
        signals: false,
      },
    );
    assert.equal(loaded.phase(), 'ready');
    const { port } = service.server.address() as AddressInfo;
    assert.equal((await ask(port)).body, 'served');
    assert.equal((await ask((service.health!.address() as AddressInfo).port, { path: '/readyz' })).status, 200);
    loaded.draining.addEventListener('abort', () => order.push('signal'));
    assert.deepEqual(await service.drain(), { cut: [], failed: [] });
    assert.deepEqual(order, ['signal', 'notice 19000', 'database']);
    assert.equal(loaded.phase(), 'closed');
    assert.equal(service.server.listening, false);
    service.health!.close();
  });
});
