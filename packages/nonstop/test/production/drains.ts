import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { constants } from 'node:os';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { Command, ask, noReplacing, noSignals, programs, until } from '../support/nonstop-command.js';

/** An application in which requests wait until a signal to their process lets them go on: that needs no connection, however late it comes. */
const app = `
  const express = require('express');
  const { WebSocketServer } = require('ws');
  const production = require('nonstop/production');
  const app = express();
  const held = [];
  app.get('/', (req, res) => res.send('hello'));
  app.post('/', (req, res) => res.send('posted'));
  app.get('/passed-on', (req, res) => res.set('Connection', 'keep-alive').send('hello'));
  app.get('/passed-on-with-head', (req, res) => res.writeHead(200, { connection: 'keep-alive', 'X-A': 'b' }).end('hello'));
  app.get('/passed-on-with-list', (req, res) => res.writeHead(200, ['X-A', 'b', 'connection', 'Keep-Alive']).end('hello'));
  app.get('/passed-on-with-others', (req, res) => res.set('Connection', 'X-A, keep-alive').send('hello'));
  app.get('/held', (req, res) => { held.push(res); console.log('holds', held.length, process.pid); });
  process.on('SIGUSR2', () => { for (const each of held.splice(0)) each.send('went on'); });
  production.onDrain(() => console.log('drains', process.pid));
  app.get('/events', (req, res) => {
    res.set('Content-Type', 'text/event-stream').write('data: first\\n\\n');
    production.onDrain(() => res.write('data: notice\\n\\n'));
  });
  app.get('/cannot-end', (req, res) => {
    res.set('Content-Type', 'text/event-stream').write('data: first\\n\\n');
    res.end = () => { throw new Error('of a middleware'); };
  });
  app.get('/flood', (req, res) => {
    res.set('Content-Type', 'text/event-stream');
    const more = setInterval(() => {
      res.write('x'.repeat(1_000_000));
      if (res.writableLength > 2_000_000) console.log('waits');
    }, 10);
    res.on('close', () => clearInterval(more));
  });
  const which = process.argv[2] ?? '';
  if (which === 'bad-listener') production.onDrain(() => { throw new Error('no socket'); });
  if (which === 'bad-async-listener') production.onDrain(async () => { throw new Error('no socket'); });
  if (which === 'exits-in-hook') production.onShutdown('exits', () => process.exit(0));
  if (which === 'sends-again') process.on('SIGTERM', function again() {
    setInterval(() => undefined, 1000);
    setTimeout(() => { process.removeListener('SIGTERM', again); process.kill(process.pid, 'SIGTERM'); }, 10);
  });
  if (which.includes('long-hook')) {
    const long = () => { console.log('hook long'); return new Promise((resolve) => setTimeout(resolve, 6000)); };
    production.onShutdown('long', long, { timeout: 60_000 });
  }
  if (which.includes('order')) for (const name of ['queue', 'database']) {
    production.onShutdown(name, async () => { await null; console.log('hook', name); });
  }
  if (which.includes('bad-hooks')) {
    production.onShutdown('throws', () => { throw new Error('no connection'); });
    production.onShutdown('hangs', () => new Promise(() => {}), { timeout: 50 });
    production.onShutdown('last', () => console.log('hook last'));
  }
  if (which.includes('own-listener')) process.on('SIGTERM', (...given) => { console.log('heard', production.phase(), ...given); process.exit(); });
  const server = require('node:http').createServer(app);
  server.keepAliveTimeout = Number(process.argv[3] ?? 200);
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('welcome'));
  server.listen(0, '127.0.0.1');
`;
const cwd = programs({ 'app.cjs': app });

interface Running {
  readonly command: Command;
  readonly port: number;
  readonly health: number;
}

/** The result of a new connection; one that is not accepted hangs. */
function connecting(port: number): Promise<string> {
  return ask(port, { timeout: 200 }).then(
    () => 'served',
    (error: { code: string }) => error.code,
  );
}

/**
 * The tests for a process that is told to end.
 *
 * @param engine value of NONSTOP_ENGINE
 * @param workers the options that set the number of processes
 */
export function drains(engine: string, workers: readonly string[]): void {
  const run = async (options: readonly string[], ...args: string[]): Promise<Running> => {
    const health = ['--health-port', '0', '--health-host', '127.0.0.1', '--drain-delay', '0'];
    const command = new Command([...workers, ...health, ...options, 'app.cjs', ...args], {
      cwd,
      env: { NONSTOP_ENGINE: engine },
    });
    const ready = await command.ready();
    // With the first request the engine takes over the server of http.createServer(app).
    for (const _ of [1, 2, 3, 4]) await ask(ready.port);
    return { command, ...ready };
  };
  /** Waits until a process holds so many requests. @returns its pid */
  const holds = async (command: Command, count: number): Promise<number> =>
    Number((await command.line(new RegExp(`^holds ${count} (\\d+)$`)))[1]);
  /** Makes the command drain, and then makes a process answer the requests that it holds. */
  const drainAndRelease = async (command: Command, pid: number): Promise<void> => {
    command.child.kill('SIGTERM');
    await command.line(new RegExp(`^drains ${pid}$`));
    process.kill(pid, 'SIGUSR2');
  };
  const drained = async (command: Command): Promise<void> => {
    assert.deepEqual(await command.ended, { status: 0, signal: null });
    assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
  };

  test('readiness is false while requests are still answered, and each answer closes its connection', async () => {
    const { command, port, health } = await run(['--drain-delay', '10m']);
    assert.equal((await ask(health, { path: '/readyz' })).status, 200);
    command.child.kill('SIGTERM');
    const unready = await until(
      () => ask(health, { path: '/readyz' }),
      ({ status }) => status === 503,
    );
    assert.deepEqual(JSON.parse(unready.body), { status: 'failed', checks: { process: 'draining' } });
    assert.equal((await ask(health, { path: '/livez' })).status, 200);
    for (const path of ['/', '/passed-on', '/passed-on-with-head', '/passed-on-with-list', '/passed-on-with-others']) {
      const answer = await ask(port, { path, headers: { connection: 'keep-alive' } });
      const connection = path.endsWith('others') ? 'X-A, close' : 'close';
      assert.deepEqual([answer.status, answer.body, answer.headers.connection], [200, 'hello', connection], path);
    }
    assert.equal(await command.endAgain(), 143);
  });

  for (const delay of ['0', '500ms']) {
    test(`a request under way is answered, with a delay of ${delay}`, { skip: noSignals }, async () => {
      const { command, port } = await run(['--drain-delay', delay]);
      const held = ask(port, { path: '/held', agent: false, headers: { connection: 'keep-alive' } });
      await drainAndRelease(command, await holds(command, 1));
      const { body, headers } = await held;
      assert.deepEqual([body, headers.connection], ['went on', 'close']);
      await drained(command);
      await assert.rejects(ask(port), { code: 'ECONNREFUSED' });
    });
  }

  test('a request on an idle connection is answered after listening has stopped', async () => {
    const { command, port } = await run([], '', '20000');
    const socket = net.connect(port, '127.0.0.1');
    socket.setEncoding('latin1').write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.match(String(await once(socket, 'data')), /Connection: keep-alive/);
    command.child.kill('SIGTERM');
    await until(
      () => connecting(port),
      (code) => code === 'ECONNREFUSED',
    );
    const closed = once(socket, 'close');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi');
    const [answer] = (await once(socket, 'data')) as [string];
    assert.match(answer, /Connection: close/);
    assert.match(answer, /posted$/);
    await closed;
    await drained(command);
  });

  test('the first request of a connection is answered after listening has stopped', async () => {
    const { command, port } = await run([], '', '20000');
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    // It is accepted: connections are accepted in turn.
    await once(socket, 'connect');
    assert.equal((await ask(port)).status, 200);
    command.child.kill('SIGTERM');
    await until(
      () => connecting(port),
      (code) => code === 'ECONNREFUSED',
    );
    const closed = once(socket, 'close');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.match(String(await once(socket, 'data')), /Connection: close/);
    await closed;
    await drained(command);
  });

  test('an idle connection is closed after the time that its client was promised', async () => {
    const { command, port } = await run([]);
    const socket = net.connect(port, '127.0.0.1');
    const silent = net.connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    command.child.kill('SIGTERM');
    await Promise.all([once(socket, 'close'), once(silent, 'close')]);
    await drained(command);
  });

  test('the last of pipelined requests closes the connection', { skip: noSignals }, async () => {
    const { command, port } = await run([]);
    const socket = net.connect(port, '127.0.0.1');
    const closed = once(socket, 'close');
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    await drainAndRelease(command, await holds(command, 2));
    await closed;
    assert.deepEqual(text.match(/Connection: [\w-]+|went on/g), [
      'Connection: keep-alive',
      'went on',
      'Connection: close',
      'went on',
    ]);
    await drained(command);
  });

  test('an event stream gets the notice, and is ended as its protocol says', async () => {
    const { command, port } = await run(['--stream-limit', '100ms']);
    const [events] = (await once(http.get({ host: '127.0.0.1', port, path: '/events' }), 'response')) as [
      http.IncomingMessage,
    ];
    let body = '';
    events.setEncoding('utf8').on('data', (part: string) => (body += part));
    await once(events, 'data');
    command.child.kill('SIGTERM');
    // A stream that is cut off rejects here.
    await once(events, 'end');
    assert.equal(body, 'data: first\n\ndata: notice\n\n');
    await drained(command);
  });

  test('a WebSocket is closed with the code for going away', async () => {
    const { command, port } = await run(['--stream-limit', '100ms']);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await once(socket, 'message');
    command.child.kill('SIGTERM');
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1001);
    await drained(command);
  });

  test('requests under way at the end of the grace are cut off and listed', async () => {
    const { command, port } = await run(['--grace', '200ms']);
    const held = ask(port, { path: '/held?a=1' });
    const cut = assert.rejects(held, { code: 'ECONNRESET' });
    await holds(command, 1);
    assert.equal(await command.end(), 5);
    await cut;
    await command.line(/^nonstop: cut: GET \/held\?a=1 from 127\.0\.0\.1, under way for \d+\.\d s$/);
  });

  test('hooks run in their order after all answers', async () => {
    const { command } = await run([], 'order');
    assert.equal(await command.end(), 0);
    const hooks = command.lines.filter((line) => line.startsWith('hook'));
    const each = ['hook queue', 'hook database'];
    if (workers.length === 0) assert.deepEqual(hooks, each);
    else assert.deepEqual(hooks.toSorted(), [...each, ...each].toSorted());
  });

  test('a hook that throws and one that hangs are reported, and the next one runs', async () => {
    const { command } = await run([], 'bad-hooks');
    assert.equal(await command.end(), 5);
    const said = command.lines.filter((line) => /hook/.test(line));
    const each = [
      'hook last',
      'nonstop: shutdown hook throws: no connection',
      'nonstop: shutdown hook hangs: not finished after 50 ms',
    ];
    // They come by two outputs, so their order is chance.
    const all = workers.length === 0 ? each : [...each, ...each];
    assert.deepEqual(said.toSorted(), all.toSorted());
  });

  for (const listener of ['bad-listener', 'bad-async-listener']) {
    test(
      `a drain listener that throws is reported, and the drain continues: ${listener}`,
      { skip: noSignals },
      async () => {
        const { command, port } = await run([], listener);
        const held = ask(port, { path: '/held' });
        await drainAndRelease(command, await holds(command, 1));
        assert.equal((await held).body, 'went on');
        assert.deepEqual(await command.ended, { status: 5, signal: null });
        assert.ok(command.lines.includes('nonstop: drain listener: no socket'), command.lines.join('\n'));
      },
    );
  }

  test('an event stream that begins on an idle connection after the time for streams gets its end, too', async () => {
    const { command, port } = await run(['--stream-limit', '0', '--grace', '60s'], '', '60000');
    const socket = net.connect(port, '127.0.0.1');
    socket.setEncoding('latin1').write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.match(String(await once(socket, 'data')), /hello$/);
    command.child.kill('SIGTERM');
    await until(
      () => connecting(port),
      (code) => code === 'ECONNREFUSED',
    );
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');
    assert.match(text, /data: first\n\n\r\n0\r\n\r\n$/);
    await drained(command);
  });

  test('an event stream that writes after its end ends nothing else', async () => {
    const { command, port } = await run(['--stream-limit', '100ms', '--grace', '1s'], 'order');
    const reader = net.connect(port, '127.0.0.1');
    // The client reads nothing, so that the end of the answer is not sent when the application writes again.
    reader
      .on('error', () => undefined)
      .pause()
      .write('GET /flood HTTP/1.1\r\nHost: a\r\n\r\n');
    await command.line(/^waits$/);
    assert.equal(await command.end(), 5);
    assert.ok(
      command.lines.some((line) => line.startsWith('nonstop: cut: GET /flood')),
      command.lines.join('\n'),
    );
    assert.ok(command.lines.includes('hook database'));
    reader.destroy();
  });

  test(
    'an event stream whose end throws does not end the drain of the other requests',
    { skip: noSignals },
    async () => {
      const { command, port } = await run(['--stream-limit', '0']);
      const held = ask(port, { path: '/held' });
      const pid = await holds(command, 1);
      const [events] = (await once(http.get({ host: '127.0.0.1', port, path: '/cannot-end' }), 'response')) as [
        http.IncomingMessage,
      ];
      command.child.kill('SIGTERM');
      await assert.rejects(events.toArray(), { code: 'ECONNRESET' });
      process.kill(pid, 'SIGUSR2');
      assert.equal((await held).body, 'went on');
      await drained(command);
    },
  );

  test('a signal that comes twice, from a terminal and from npm, drains once', { skip: noSignals }, async () => {
    const { command, port } = await run([], 'order');
    const held = ask(port, { path: '/held' });
    const pid = await holds(command, 1);
    for (const _ of [1, 2]) {
      command.child.kill('SIGINT');
      await command.line(/^nonstop: SIGINT: draining$/);
    }
    await command.line(new RegExp(`^drains ${pid}$`));
    process.kill(pid, 'SIGUSR2');
    assert.equal((await held).body, 'went on');
    assert.deepEqual(await command.ended, { status: 0, signal: null }, command.lines.join('\n'));
    assert.ok(command.lines.includes('hook database'));
  });

  test('a second signal ends it at once, and what is cut off is listed', async () => {
    const { command, port } = await run(['--drain-delay', '60s']);
    const cut = assert.rejects(ask(port, { path: '/held' }), { code: 'ECONNRESET' });
    await holds(command, 1);
    command.child.kill('SIGTERM');
    await command.line(/draining/);
    assert.equal(await command.endAgain(), 143);
    await cut;
    const said = command.lines.filter((line) => line.startsWith('nonstop: ')).slice(-2);
    assert.equal(said[0], 'nonstop: SIGTERM again: ending at once');
    assert.match(said[1], /^nonstop: cut: GET \/held from 127\.0\.0\.1, under way for \d+\.\d s$/);
  });

  test('after a second signal while a hook hangs, no line says that the drain succeeded', async () => {
    const { command } = await run([], 'long-hook');
    command.child.kill('SIGTERM');
    await command.line(/^hook long$/);
    assert.equal(await command.endAgain(), 143);
    const said = command.lines.filter((line) => line.startsWith('nonstop: '));
    assert.equal(said.at(-1), 'nonstop: SIGTERM again: ending at once', command.lines.join('\n'));
  });

  if (workers.length > 0) {
    test('a worker that ends in its own hook is reported as such, not as killed', async () => {
      const { command } = await run([], 'exits-in-hook');
      assert.equal(await command.end(), 5);
      const said = command.lines.filter((line) => line.startsWith('nonstop: ')).slice(-1);
      assert.match(said[0], /^nonstop: shutdown hooks of worker \d+: it ended by itself \(status 0\)$/);
    });

    test('SIGHUP during a drain replaces no worker', { skip: noReplacing }, async () => {
      const { command } = await run(['--drain-delay', '60s']);
      command.child.kill('SIGTERM');
      await command.line(/draining/);
      command.child.kill('SIGHUP');
      await command.line(/^nonstop: SIGHUP: /);
      assert.equal(await command.endAgain(), 143);
      const said = command.lines.filter((line) => line.includes('replac'));
      assert.deepEqual(said, ['nonstop: SIGHUP: nothing is replaced, all workers end']);
    });

    test(
      'a hook may take the time of its own option, although --hook-timeout and --grace are shorter',
      { skip: noReplacing },
      async () => {
        const { command } = await run(['--hook-timeout', '1ms', '--grace', '0'], 'long-hook');
        command.child.kill('SIGHUP');
        await command.line(/^hook long$/);
        assert.equal(await command.end(), 0);
        assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
      },
    );

    test('the longest possible grace period is not 1 ms', { skip: noSignals }, async () => {
      const { command, port } = await run(['--grace', String(2 ** 31 - 1)]);
      const held = ask(port, { path: '/held' });
      await drainAndRelease(command, await holds(command, 1));
      assert.equal((await held).body, 'went on');
      await drained(command);
    });
    return;
  }
  test(
    'a listener of the application that sends the signal again, when it is done, does not change the status',
    { skip: noSignals },
    async () => {
      const { command } = await run([], 'sends-again');
      assert.equal(await command.end(), 0);
      // Not as the last line: stdout is read beside stderr.
      assert.ok(command.lines.includes('nonstop: drained, nothing was cut'), command.lines.join('\n'));
    },
  );

  test('the application’s own listener gets the signal after the drain', { skip: noSignals }, async () => {
    const { command, port } = await run(['--drain-delay', '200ms'], 'own-listener');
    const held = ask(port, { path: '/held' });
    await drainAndRelease(command, await holds(command, 1));
    assert.equal((await held).body, 'went on');
    assert.deepEqual(await command.ended, { status: 0, signal: null });
    assert.deepEqual(command.lines.filter((line) => /^nonstop: drained|^heard/.test(line)).toSorted(), [
      `heard closed SIGTERM ${constants.signals.SIGTERM}`,
      'nonstop: drained, nothing was cut',
    ]);
  });
}
