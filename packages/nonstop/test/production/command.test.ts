import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Command, ask, freePort, noReplacing, programs, until } from '../support/nonstop-command.js';

const hello = `(req, res) => res.end(JSON.stringify({ url: req.url, engine: require('nonstop/http').isAccelerated(req.socket.server) }))`;
const express = `const express = require('express'); const app = express(); app.get('/x', ${hello});`;

const cwd = programs({
  'listens.cjs': `${express} app.listen(process.env.PORT, '127.0.0.1');`,
  'tells-port.cjs': `console.log('PORT', process.env.PORT); require('http').createServer().listen(process.env.PORT ?? 1, '127.0.0.1');`,
  'hangs-up.cjs': `process.on('SIGHUP', () => console.log('heard')); module.exports = ${hello};`,
  'loaded.cjs': `${express} app.get('/loaded', (req, res) => res.end(Object.keys(require.cache)
    .map((file) => /node_modules.(finalhandler|qs|send)\\b/.exec(file)?.[1]).filter((name, i, all) => name && all.indexOf(name) === i).sort().join()));
    module.exports = app;`,
  'without-pino.cjs': `const Module = require('module'); const { _resolveFilename } = Module;
    Module._resolveFilename = function (name, ...rest) { if (/^(pino|prom-client)$/.test(name)) throw new Error('gone'); return _resolveFilename.call(this, name, ...rest); };`,
  'main-alone.cjs': `${express} if (require.main === module) app.listen(process.env.PORT, '127.0.0.1');`,
  'exports-app.cjs': `${express} module.exports = app;`,
  'exports-and-listens.cjs': `${express} module.exports = app; setTimeout(() => { const server = app.listen(process.env.PORT, '127.0.0.1', () => console.log('own', server.address().port)); }, 50);`,
  // The server of the command has been told to listen, and does not do so yet in a worker.
  'exports-and-listens-at-once.cjs': `${express} module.exports = app;
    const { prototype } = require('node:net').Server; const { listen } = prototype;
    const late = () => { const server = app.listen(process.env.PORT, '127.0.0.1', () => console.log('own', server.address().port)); };
    prototype.listen = function (...args) { prototype.listen = listen; process.nextTick(late); return listen.apply(this, args); };`,
  'exports-server-and-listens.cjs': `const server = require('nonstop/http').createServer(${hello}); module.exports = server;
    setTimeout(() => server.listen(process.env.PORT, '127.0.0.1', () => console.log('own', server.address().port)), 50);`,
  'exports-beside.cjs': `${express} module.exports = app;
    setTimeout(() => {
      const other = require('http').createServer((req, res) => res.end('the other'));
      other.listen(0, '127.0.0.1', () => console.log('other', other.address().port));
    }, 50);`,
  'exports-member.cjs': `${express} exports.app = app;`,
  'exports-handler.cjs': `module.exports = ${hello};`,
  'exports-server.cjs': `module.exports = require('nonstop/http').createServer(${hello});`,
  'exports-promise.cjs': `${express} module.exports = Promise.resolve(app);`,
  'default.mjs': `import express from 'express'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
    const app = express(); app.get('/x', ${hello}); export default app;`,
  'named.mjs': `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
    await null; export const handler = ${hello};`,
  'listens.mjs': `import express from 'express'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
    const app = express(); app.get('/x', ${hello}); app.listen(process.env.PORT, '127.0.0.1');`,
  'typed.cts': `const app: { get: Function } = require('express')(); app.get('/x', ${hello}); module.exports = app;`,
  'without.js': `module.exports = ${hello};`,
  'folder/package.json': '{ "main": "main.cjs" }',
  'folder/main.cjs': `module.exports = ${hello};`,
  'arguments.cjs': `module.exports = (req, res) => res.end(JSON.stringify(process.argv.slice(1)));`,
  'throws.cjs': `throw new Error('of the application');`,
  'throws.mjs': `await null; throw new Error('of the application');`,
  'rejects.cjs': `Promise.reject(new Error('of the application')); setInterval(() => {}, 1000);`,
  'never.cjs': `module.exports = new Promise(() => {});`,
  'nothing.cjs': `exports.answer = 42;`,
  'loads.cjs': `module.exports = new Promise(() => {}); setInterval(() => {}, 1000);`,
  'still.cjs': `for (;;);`,
  'in-cluster.cjs': `const cluster = require('cluster'); const [, , exec, ...args] = process.argv; cluster.setupPrimary({ exec, args });
    const worker = cluster.fork(); process.on('SIGTERM', () => worker.process.kill()); worker.on('exit', (status) => process.exit(status));`,
  'no-processes.cjs': `process.execPath = '/gone'; require('nonstop/production').supervise('exports-handler.cjs', { workers: 1 })
    .then((status) => process.exit(status));`,
  'too-large.cjs': `process.env.TOO_LARGE = 'x'.repeat(200_000); require('nonstop/production').supervise('exports-handler.cjs', { workers: 1 })
    .then((status) => process.exit(status));`,
  'preload.mjs': 'globalThis.preloaded = true;',
  'number.cjs': `setInterval(() => {}, 1000);`,
  'dies.cjs': `process.exit(7);`,
  'fails-later.cjs': `process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
    const server = require('http').createServer().listen(process.env.PORT, '127.0.0.1', () => server.emit('error', new Error('later')));`,
  'path.cjs': `require('http').createServer().listen(process.argv[2]);`,
  'own-workers.cjs': `const cluster = require('cluster'); if (cluster.isPrimary) cluster.fork(); else require('http').createServer().listen(0, '127.0.0.1');`,
  'second-server.cjs': `const http = require('http'); module.exports = (req, res) => {
    const second = http.createServer().on('error', ({ code }) => res.end(code));
    second.listen(Number(req.url.slice(1)), '127.0.0.1', () => res.end('listens'));
  };`,
  'unready.cjs': `require('nonstop/production').addCheck('database', () => { throw new Error('no route to it'); }); module.exports = (req, res) => res.end();`,
});

/** A path to listen on: a named pipe on Windows. */
function socketAt(name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${process.pid}-${name}` : path.join(cwd, name);
}

const runsTypeScript =
  (process.features as { typescript?: unknown }).typescript !== undefined &&
  Boolean((process.features as { typescript?: unknown }).typescript);

const local = ['--port', '0', '--host', '127.0.0.1'];

const kinds = fs.readdirSync(cwd).filter((name) => /^(?:listens|main-alone|exports|default|named|typed)/.test(name));

describe('the command runs each kind of file', () => {
  for (const workers of [[], ['--workers', '1']]) {
    for (const file of [...kinds, 'folder', 'without']) {
      const skip = file === 'typed.cts' && !runsTypeScript ? `Node ${process.version} does not run TypeScript` : false;
      test(`${file} ${workers.join(' ')}`, { skip }, async () => {
        const port = await freePort();
        const command = new Command(['-p', String(port), '--host', '127.0.0.1', ...workers, `./${file}`], { cwd });
        assert.equal((await command.ready()).port, port);
        if (file.includes('and-listens')) await command.line(new RegExp(`^own ${port}$`));
        // The engine also serves the second connection of an http.createServer(app).
        for (const _ of [1, 2]) assert.equal(JSON.parse((await ask(port, { path: '/x' })).body).url, '/x');
        assert.equal(JSON.parse((await ask(port, { path: '/x' })).body).engine, true);
        assert.equal(await command.end(), 0);
        assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
      });
    }
  }

  for (const workers of [[], ['--workers', '1']]) {
    test(`--port 0 gives an application that listens itself a free port ${workers.join(' ')}`, async () => {
      const command = new Command([...local, ...workers, 'tells-port.cjs'], { cwd });
      await command.line(/^PORT 0$/);
      assert.notEqual((await command.ready()).port, 0);
      assert.equal(await command.end(), 0);
    });
  }

  test('--port 0 leaves another server of the program alone that takes a free port', async () => {
    const command = new Command([...local, 'exports-beside.cjs'], { cwd });
    const { port } = await command.ready();
    const [, other] = await command.line(/^other (\d+)$/);
    assert.notEqual(Number(other), port);
    assert.equal((await ask(Number(other))).body, 'the other');
    assert.notEqual((await ask(port, { path: '/x' })).body, 'the other');
    assert.equal(await command.end(), 0);
  });

  test('SIGHUP goes to the listener of the application', { skip: noReplacing }, async () => {
    const command = new Command([...local, 'hangs-up.cjs'], { cwd });
    await command.ready();
    command.child.kill('SIGHUP');
    await command.line(/^heard$/);
    assert.equal(await command.end(), 0);
    assert.ok(!command.lines.some((line) => line.includes('SIGHUP')), command.lines.join('\n'));
  });

  const ends = { skip: process.platform !== 'win32' && 'only Windows sends SIGHUP for the end of the console' };

  for (const more of [[], ['--workers', '1']])
    test(`SIGHUP of Windows drains, as the process is about to be ended ${more.join(' ')}`, ends, async () => {
      const command = new Command([...local, ...more, '--drain-delay', '60s', 'exports-handler.cjs'], { cwd });
      await command.ready();
      assert.equal(await command.end('SIGHUP'), 0);
      assert.deepEqual(command.lines.slice(-2), ['nonstop: SIGHUP: draining', 'nonstop: drained, nothing was cut']);
    });

  test('SIGHUP without a listener does nothing, and says so', { skip: noReplacing }, async () => {
    const command = new Command([...local, 'exports-handler.cjs'], { cwd });
    await command.ready();
    command.child.kill('SIGHUP');
    await command.line(/^nonstop: SIGHUP: nothing is replaced without --workers$/);
    assert.equal(await command.end(), 0);
  });

  test('what a request may need is loaded before the application is ready', async () => {
    const command = new Command([...local, 'loaded.cjs'], { cwd });
    const { port } = await command.ready();
    assert.equal((await ask(port, { path: '/loaded' })).body, 'finalhandler,qs,send');
    assert.equal(await command.end(), 0);
  });

  for (const workers of [[], ['--workers', '1']]) {
    test(`with --import before it the file is the main program, too ${workers.join(' ')}`, async () => {
      for (const file of ['main-alone.cjs', 'exports-app.cjs', 'listens.mjs', 'default.mjs']) {
        const env = { NODE_OPTIONS: '--import ./preload.mjs' };
        const command = new Command([...local, ...workers, file], { cwd, env });
        const { port } = await command.ready();
        assert.equal(JSON.parse((await ask(port, { path: '/x' })).body).engine, true);
        assert.equal(await command.end(), 0);
      }
    });
  }

  test('arguments after the file go to the application', async () => {
    const command = new Command([...local, 'arguments.cjs', '--port', 'its own', '-x'], { cwd });
    const { port } = await command.ready();
    assert.deepEqual(JSON.parse((await ask(port)).body), [path.join(cwd, 'arguments.cjs'), '--port', 'its own', '-x']);
    assert.equal(await command.end('SIGINT'), 0);
  });

  for (const workers of [[], ['--workers', '1']]) {
    test(`--watch restarts it when a file that it has loaded changes ${workers.join(' ')}`, async () => {
      const name = `watched${workers.length}.cjs`;
      fs.writeFileSync(
        path.join(cwd, `uses-${name}`),
        `const text = require('./${name}'); module.exports = (req, res) => res.end(text);`,
      );
      const write = (text: string): void => fs.writeFileSync(path.join(cwd, name), `module.exports = '${text}';`);
      write('old');
      const command = new Command([...local, ...workers, '--watch', `uses-${name}`], { cwd });
      assert.equal((await ask((await command.ready()).port)).body, 'old');
      write('new');
      // The process may be ready before node watches its file: a change before that is not seen.
      const again = setInterval(() => write('new'), 10_000);
      const last = async (): Promise<string> => {
        const ready = command.lines.flatMap((line) => /ready on http:\/\/\S+:(\d+)/.exec(line)?.[1] ?? []);
        return ask(Number(ready.at(-1))).then(
          ({ body }) => body,
          () => 'it starts again',
        );
      };
      await until(last, (body) => body === 'new');
      clearInterval(again);
      await command.end();
    });
  }

  test('--watch after the file is an argument of the application', async () => {
    const command = new Command([...local, '--watch', 'arguments.cjs', '--watch', '-x'], { cwd });
    const { port } = await command.ready();
    assert.deepEqual(JSON.parse((await ask(port)).body).slice(1), ['--watch', '-x']);
    await command.end();
  });

  for (const workers of [[], ['--workers', '1']]) {
    test(`a second server that cannot listen is left to the application's own listener ${workers.join(' ')}`, async () => {
      const command = new Command([...local, ...workers, 'second-server.cjs'], { cwd });
      const { port } = await command.ready();
      assert.equal((await ask(port, { path: `/${portTaken()}` })).body, 'EADDRINUSE');
      assert.equal((await ask(port, { path: '/0' })).body, 'listens');
      assert.equal(await command.end(), 0);
    });
  }

  test('an error of a server that listens is uncaught without a listener, as under node', async () => {
    const command = new Command([...local, 'fails-later.cjs'], { cwd });
    await command.ready();
    assert.equal(await command.end(), 0);
    assert.ok(command.lines.includes('uncaught later'), command.lines.join('\n'));
  });

  test('it prints the address as a URL, or the path', async () => {
    const health = ['--health-port', '0', '--drain-delay', '0'];
    const printed: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [
        [...local, ...health, 'exports-handler.cjs'],
        /^nonstop: ready on http:\/\/127\.0\.0\.1:\d+, health on http:\/\/127\.0\.0\.1:\d+ \(pid \d+\)$/,
      ],
      [
        [...local, '--workers', '1', 'exports-handler.cjs'],
        /^nonstop: 1 worker ready on http:\/\/127\.0\.0\.1:\d+ \(pid \d+\)$/,
      ],
      [
        ['--port', '0', 'exports-handler.cjs'],
        /^nonstop: ready on http:\/\/localhost:\d+ \(all addresses\) \(pid \d+\)$/,
      ],
      [['path.cjs', socketAt('free.sock')], /^nonstop: ready on [/\\]\S+free\.sock \(pid \d+\)$/],
    ];
    for (const [args, says] of printed) {
      const command = new Command(args, { cwd });
      await command.line(says);
      assert.equal(await command.end(), 0);
    }
  });

  test('in a worker of another supervisor it serves in this process', async () => {
    const command = new Command([...local, 'exports-handler.cjs'], { cwd, flags: ['in-cluster.cjs'] });
    const { port } = await command.ready();
    assert.equal((await ask(port)).status, 200);
    assert.equal(await command.end(), 0);
  });

  test('--help names every option, --version the version', async () => {
    const help = new Command(['--help'], { cwd });
    assert.equal((await help.ended).status, 0);
    const text = help.lines.join('\n');
    const options = require('../../src/production/options.js') as typeof import('../../src/production/options.js');
    for (const { flag } of options.OPTIONS) assert.match(text, new RegExp(`--${flag}\\b`));
    const version = new Command(['-v'], { cwd });
    assert.equal((await version.ended).status, 0);
    assert.match(version.lines[0], /^\d+\.\d+\.\d+/);
  });
});

const taken = net.createServer().listen(0, '127.0.0.1').unref();
const takenPath = socketAt('taken.sock');
net.createServer().listen(takenPath).unref();

interface Bad {
  readonly what: string;
  /** @param time that it gets to become ready */
  readonly args: (time: string) => readonly string[];
  readonly says: RegExp;
  readonly status: number;
  /** Number of lines that the command itself prints. */
  readonly lines?: number;
}

const portTaken = (): string => String((taken.address() as net.AddressInfo).port);
const soon = ['--ready-timeout', '300ms'];

/** The time to become ready: on a busy machine an application that must be loaded within it gets more. */
const TIMES = ['300ms', '5s', '60s'];

const bad: readonly Bad[] = [
  { what: 'no file', args: () => [], says: /^no file to run/, status: 2 },
  {
    what: 'workers without their number',
    args: () => ['--workers', './exports-app.cjs'],
    says: /^--workers is '\.\/exports-app\.cjs', and must be a number/,
    status: 2,
  },
  { what: 'a missing file', args: () => ['gone.js'], says: /^there is no file gone\.js$/, status: 2 },
  { what: 'an unknown option', args: () => ['--wrokers', '2', 'x'], says: /^Unknown option '--wrokers'/, status: 2 },
  {
    what: 'an option without its value',
    args: () => ['--port'],
    says: /^Option '-p, --port <value>' argument missing/,
    status: 2,
  },
  {
    what: 'workers that are not a number',
    args: () => ['--workers', 'many', 'x'],
    says: /^--workers is 'many', and must be a number/,
    status: 2,
  },
  { what: 'workers below 0', args: () => ['--workers=-1', 'x'], says: /^--workers is '-1', and must be/, status: 2 },
  {
    what: 'workers below 0, as two arguments',
    args: () => ['--workers', '-1', 'x'],
    says: /^--workers is '-1', and must be a number/,
    status: 2,
  },
  {
    what: 'an invalid port',
    args: () => ['--port', '70000', 'x'],
    says: /^--port is '70000', and must be a port/,
    status: 2,
  },
  {
    what: 'an invalid time',
    args: () => ['--grace', 'soon', 'x'],
    says: /^--grace is 'soon', and must be milliseconds/,
    status: 2,
  },
  {
    what: 'a port in use',
    args: () => ['--port', portTaken(), '--host', '127.0.0.1', 'exports-app.cjs'],
    says: /^127\.0\.0\.1 port \d+ is in use by another process \(EADDRINUSE\)$/,
    status: 3,
  },
  {
    what: 'a port in use, of an application that listens',
    args: () => ['--port', portTaken(), 'listens.cjs'],
    says: /is in use by another process/,
    status: 3,
  },
  {
    what: 'a path in use',
    args: () => ['path.cjs', takenPath],
    says: /^[/\\]\S+taken\.sock is in use by another process \(EADDRINUSE\)$/,
    status: 3,
  },
  {
    what: 'a health port in use',
    args: () => [...local, '--health-port', portTaken(), '--health-host', '127.0.0.1', 'exports-app.cjs'],
    says: /is in use by another process/,
    status: 3,
  },
  {
    what: 'an address of another machine',
    args: () => ['--port', '0', '--host', '192.0.2.1', 'exports-app.cjs'],
    says: /^192\.0\.2\.1 .*is not an address of this machine \(EADDRNOTAVAIL\)$/,
    status: 3,
  },
  {
    what: 'an application that throws',
    args: () => [...local, 'throws.cjs'],
    says: /^the application failed: of the application$/,
    status: 1,
  },
  {
    what: 'an ES module that throws',
    args: () => [...local, 'throws.mjs'],
    says: /^the application failed: of the application$/,
    status: 1,
  },
  {
    what: 'an application with a rejection that is not handled',
    args: () => [...local, 'rejects.cjs'],
    says: /^the application failed: of the application$/,
    status: 1,
  },
  {
    what: 'an application that ends its process while it starts',
    args: () => [...local, 'dies.cjs'],
    says: /^the application ended its process before it was ready \(status 7\)$/,
    status: 7,
  },
  {
    what: 'an application whose loading waits for nothing',
    args: (time) => [...local, '--ready-timeout', time, 'never.cjs'],
    says: /^the application was not ready: it is still loading, but the event loop has nothing left to do$/,
    status: 4,
  },
  {
    what: 'an application that does nothing',
    args: () => [...local, 'nothing.cjs'],
    says: /nothing\.cjs neither listens nor exports/,
    status: 1,
  },
  {
    what: 'an application that never listens',
    args: (time) => [...local, '--ready-timeout', time, 'number.cjs'],
    says: /^the application was not ready within [\d.]+ s: no server listens$/,
    status: 4,
  },
  {
    what: 'an application whose loading has no end',
    args: () => [...local, ...soon, 'loads.cjs'],
    says: /^the application was not ready within 0\.3 s: it is still loading$/,
    status: 4,
  },
  {
    what: 'metrics without a port',
    args: () => ['--metrics', 'x'],
    says: /^--metrics needs --health-port, which serves them$/,
    status: 2,
  },
  {
    what: 'an address for health without its port',
    args: () => ['--health-host', '127.0.0.1', 'x'],
    says: /^--health-host needs --health-port$/,
    status: 2,
  },
  {
    what: 'an application that never becomes ready',
    args: (time) => [...local, '--ready-timeout', time, 'unready.cjs'],
    says: /not ready within [\d.]+ s: check database: no route to it$/,
    status: 4,
  },
];

const ofThree = (status: number): Pick<Bad, 'status' | 'says'> => ({
  status: 4,
  says: new RegExp(`^no worker becomes ready: 3 died, the last by status ${status}$`),
});

const inWorkers: Readonly<Record<string, Pick<Bad, 'status' | 'says'>>> = {
  'an application that throws': ofThree(1),
  'an ES module that throws': ofThree(1),
  'an application with a rejection that is not handled': ofThree(1),
  'an application that ends its process while it starts': ofThree(7),
  // A worker has a supervisor, whose messages could end the loading.
  'an application whose loading waits for nothing': {
    status: 4,
    says: /^the application was not ready within [\d.]+ s: it is still loading$/,
  },
};

interface Fault {
  readonly ended: { readonly status: number | null; readonly signal: string | null };
  /** What the command itself says. */
  readonly said: readonly string[];
  readonly lines: readonly string[];
}

/** Runs a command that must fail. If the application was only too slow, which is not the expected fault, it runs again with more time. */
async function failing(bad: Bad, options: readonly string[], times: readonly string[] = TIMES): Promise<Fault> {
  const [time, ...longer] = times;
  const command = new Command([...options, ...bad.args(time)], { cwd });
  const ended = await command.ended;
  const { lines } = command;
  const said = lines.filter((line) => line.startsWith('nonstop: ')).map((line) => line.slice(9));
  const last = said.at(-1) ?? '';
  const early = /^the application was not ready .*(?:it is still loading|no server listens)$/.test(last);
  if (early && !bad.says.test(last) && longer.length > 0) return failing(bad, options, longer);
  return { ended, said, lines };
}

describe('an error is reported in one line', () => {
  for (const each of bad) {
    const { what, says, status } = each;
    test(what, async () => {
      const { ended, said, lines } = await failing(each, []);
      assert.equal(said.length, 1, lines.join('\n'));
      assert.match(said[0], says);
      assert.deepEqual(ended, { status, signal: null });
    });

    if (status === 2) continue;
    test(`${what}, in workers`, async () => {
      const other = inWorkers[what];
      const expected = { ...each, ...other };
      const { ended, said, lines } = await failing(expected, ['--workers', '2']);
      assert.match(said.at(-1)!, expected.says);
      if (other === undefined) assert.equal(said.length, 1, lines.join('\n'));
      assert.deepEqual(ended, { status: expected.status, signal: null });
    });
  }

  for (const [option, says] of [
    ['--access-log', 'accessLog (--access-log) needs the package pino: npm install pino'],
    ['--metrics', 'metrics (--metrics) needs the package prom-client: npm install prom-client'],
  ]) {
    test(`a missing package for ${option}`, async () => {
      const args = [...local, '--health-port', '0', option, 'exports-handler.cjs'];
      const command = new Command(args, { cwd, flags: ['-r', './without-pino.cjs'] });
      assert.deepEqual(await command.ended, { status: 2, signal: null });
      assert.deepEqual(command.lines, [`nonstop: ${says}`]);
    });
  }

  test('an application with workers of its own is told so, and with --workers its code for workers runs', async () => {
    const alone = new Command([...local, '--ready-timeout', '3s', 'own-workers.cjs'], { cwd });
    assert.deepEqual(await alone.ended, { status: 4, signal: null });
    const says =
      /: no server listens in this process, which started workers itself: use --workers instead, or run it with node$/;
    assert.match(alone.lines.join('\n'), says);
    const command = new Command([...local, '--workers', '1', 'own-workers.cjs'], { cwd });
    await command.ready();
    assert.equal(await command.end(), 0);
  });

  test('a worker that dies at once: three are tried, with growing pauses', async () => {
    const command = new Command([...local, '--workers', '1', 'dies.cjs'], { cwd });
    assert.deepEqual(await command.ended, { status: 4, signal: null });
    assert.match(command.lines[0], /worker \d+ died \(status 7\), another starts in 100 ms$/);
    assert.match(command.lines[1], /worker \d+ died \(status 7\), another starts in 200 ms$/);
    assert.deepEqual(command.lines.slice(2), ['nonstop: no worker becomes ready: 3 died, the last by status 7']);
  });

  for (const [file, why] of [
    ['no-processes.cjs', 'spawn /gone ENOENT'],
    ['too-large.cjs', 'spawn E2BIG'],
  ]) {
    test(`workers that the system does not start: ${why}`, async () => {
      const command = new Command([], { cwd, flags: [file] });
      assert.deepEqual(await command.ended, { status: 4, signal: null });
      const last = `nonstop: no worker becomes ready: 3 died, the last by ${why}`;
      assert.equal(command.lines.at(-1), last, command.lines.join('\n'));
    });
  }

  test('a worker that hangs while it loads is killed', async () => {
    const command = new Command([...local, ...soon, '--workers', '1', 'still.cjs'], { cwd });
    assert.deepEqual(await command.ended, { status: 4, signal: null });
    assert.deepEqual(command.lines, ['nonstop: the application was not ready within 0.3 s: it is still loading']);
  });

  const root = process.getuid?.() === 0;
  test('a port that this user may not use', { skip: root ? 'root has the right to every port' : false }, async () => {
    const command = new Command(['--port', '1', '--host', '127.0.0.1', 'exports-app.cjs'], { cwd });
    assert.deepEqual(await command.ended, { status: 3, signal: null });
    assert.match(command.lines.join('\n'), /cannot be used: this user has no permission/);
  });

  test(
    'TypeScript on a Node without support for it',
    { skip: runsTypeScript ? 'this Node runs it' : false },
    async () => {
      const command = new Command(['typed.cts'], { cwd });
      assert.deepEqual(await command.ended, { status: 2, signal: null });
      assert.match(command.lines[0], /^nonstop: Node .* does not run typed\.cts: compile it/);
    },
  );
});
