import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type production from '../../src/entry/production.js';
import { ask } from '../support/nonstop-command.js';
import { subject } from '../support/subject.js';

const entry = (name: string): string => path.join(subject, name);
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
      [{ grace: Number.NaN }, "grace is NaN, and must be milliseconds, or a time such as '20s'"],
      [{ metrics: 'yes' }, "metrics is 'yes', and must be true or false"],
      [{ clientAddress: 'header' }, "clientAddress is 'header', and must be 'socket' or 'forwarded'"],
      [{ maxRequests: 1.5 }, 'maxRequests is 1.5, and must be a whole number from 0'],
    ];
    for (const [options, message] of wrong)
      await assert.rejects(
        loaded.serve(() => {}, options),
        { code, message },
      );
  });

  test('serve() reports a port in use', async () => {
    const other = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const target: http.RequestListener = (_req, res) => void res.end();
    await assert.rejects(loaded.serve(target, { port, host: '127.0.0.1', signals: false }), {
      code: 'ERR_NONSTOP_LISTEN',
      message: `127.0.0.1 port ${port} is in use by another process (EADDRINUSE)`,
    });
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
