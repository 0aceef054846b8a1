import assert from 'node:assert/strict';
import fs from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { listenError, ProductionError, type ProductionErrorCode } from '../../src/production/errors.js';
import { NO_PORT, OPTIONS, readOptions } from '../../src/production/options.js';
import { inRepo } from '../support/paths.js';

const guide = fs.readFileSync(inRepo('docs/guide/production.md'), 'utf8');
const rows = guide.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

describe('the guide', () => {
  for (const { name, flag, kind } of OPTIONS) {
    test(`has a line for --${flag}, with its name and its default`, () => {
      const row = rows.find((cells) => cells[2] === `\`${name}\``);
      assert.ok(row !== undefined, `no line for ${name}`);
      assert.ok(row[1].endsWith(`\`--${flag}\``));
      const { PORT: _port, HOST: _host, ...rest } = process.env;
      const { env } = process;
      process.env = rest;
      const value = readOptions({})[name];
      process.env = env;
      const written = row[3].split(/[ :,](?!\d)/, 1)[0].replaceAll(',', '');
      if (kind === 'flag') assert.equal(written === 'off', value === false);
      else if (typeof value === 'number' && value > 0 && name !== 'port') assert.equal(Number(written), value);
      else if (kind === 'time' && name !== 'drainDelay') assert.ok(value === 0);
      if (name === 'healthPort') assert.deepEqual([written, value], ['none', NO_PORT]);
    });
  }

  test('has each error code with its exit status', () => {
    const text = guide.slice(guide.indexOf('and a code:')).replaceAll(/\s+/g, ' ');
    const codes: Record<ProductionErrorCode, number> = {
      ERR_NONSTOP_OPTION: 2,
      ERR_NONSTOP_FILE: 2,
      ERR_NONSTOP_PEER: 2,
      ERR_NONSTOP_NO_SERVER: 1,
      ERR_NONSTOP_DRAINED: 1,
      ERR_NONSTOP_LISTEN: 3,
      ERR_NONSTOP_NOT_READY: 4,
      ERR_NONSTOP_WORKER: 4,
    };
    for (const [code, status] of Object.entries(codes)) {
      assert.match(text, new RegExp(`\`${code}\`[^(.]*\\(${status}\\)`));
      assert.equal(new ProductionError(code as ProductionErrorCode, '').exitStatus, status);
    }
  });
});

describe('options', () => {
  const read: readonly (readonly [given: Record<string, unknown>, name: string, value: unknown])[] = [
    [{ grace: '20s' }, 'grace', 20_000],
    [{ grace: '1.5m' }, 'grace', 90_000],
    [{ grace: 250 }, 'grace', 250],
    [{ workers: '4' }, 'workers', 4],
    [{ workers: 'auto' }, 'workers', availableParallelism()],
    [{ healthPort: 9090 }, 'drainDelay', 5000],
    [{ healthPort: 9090, drainDelay: 0 }, 'drainDelay', 0],
    [{ overload: true }, 'maxRequests', 1000],
    [{ overload: true, maxRequests: 5 }, 'maxRequests', 5],
    [{ overload: true }, 'maxDelay', 200],
    [{ host: '127.0.0.1' }, 'healthHost', '127.0.0.1'],
    [{ port: 65_535 }, 'port', 65_535],
    [{ port: 4000, healthPort: 4000, healthHost: '127.0.0.1' }, 'healthHost', '127.0.0.1'],
    [{ grace: undefined }, 'grace', 20_000],
  ];
  for (const [given, name, value] of read) {
    test(`${JSON.stringify(given)} is ${name} ${String(value)}`, () => {
      assert.equal((readOptions(given) as unknown as Record<string, unknown>)[name], value);
    });
  }
});

test('PORT is the port, and is refused if it is not a valid one, unless the options have a port', () => {
  const { env } = process;
  try {
    process.env = { ...env, PORT: '8080' };
    assert.equal(readOptions({}).port, 8080);
    process.env = { ...env, PORT: '' };
    assert.equal(readOptions({}).port, 3000);
    process.env = { ...env, PORT: '/run/socket' };
    assert.equal(readOptions({ port: 0 }).port, 0);
    assert.throws(() => readOptions({}), {
      code: 'ERR_NONSTOP_OPTION',
      message: "PORT is '/run/socket', and must be a port from 0 to 65535",
    });
  } finally {
    process.env = env;
  }
});

test('a time that node cannot wait for is refused with the longest one', () => {
  const wanted = "milliseconds up to 2147483647 (24.8 days), or a time such as '20s'";
  assert.equal(readOptions({ grace: 2_147_483_647 }).grace, 2_147_483_647);
  assert.throws(() => readOptions({ grace: '25d' }, '--'), { message: `--grace is '25d', and must be ${wanted}` });
});

describe('an address on which the process cannot listen', () => {
  // The first two exit codes are not tried with the command: a test would have to run as another user.
  const faults: Record<string, string> = {
    EACCES: 'cannot be used: this user has no permission',
    EPERM: 'cannot be used: this user has no permission',
    EADDRINUSE: 'is in use by another process',
    EADDRNOTAVAIL: 'is not an address of this machine',
  };
  for (const [code, why] of Object.entries(faults)) {
    test(`gives one line and exit status 3 for ${code}`, () => {
      const { message, exitStatus } = listenError({ code, address: '127.0.0.1', port: 80, message: 'bind' });
      assert.deepEqual([message, exitStatus], [`127.0.0.1 port 80 ${why} (${code})`, 3]);
    });
  }

  test('is a host name that is not known, without the port', () => {
    const fault = { code: 'ENOTFOUND', hostname: 'nonesuch.invalid', message: 'getaddrinfo' };
    const { message } = listenError(fault, { host: 'nonesuch.invalid', port: 4000 });
    assert.equal(message, 'nonesuch.invalid is a host name that is not known (ENOTFOUND)');
  });
});
