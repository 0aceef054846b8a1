import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import tls from 'node:tls';
import { certificate } from '../support/certificate.js';
import { Command, ask, programs, until } from '../support/nonstop-command.js';
import { runProgram } from '../support/run-program.js';
import { drains } from './drains.js';

for (const engine of ['nonstop', 'node']) {
  describe(`a drain of one process loses nothing, with NONSTOP_ENGINE=${engine}`, () => drains(engine, []));
}

test('a hook that blocks the event loop ends with the process, after all limits', async () => {
  const cwd = programs({
    'app.cjs': `
      require('nonstop/production').onShutdown('blocks', () => { for (;;); });
      module.exports = (req, res) => res.end();`,
    'preload.cjs': `if (require('node:worker_threads').workerData?.line) require('node:fs').writeSync(2, 'loaded in the thread\\n');`,
  });
  const limits = ['--grace', '0', '--hook-timeout', '1ms'];
  const command = new Command(['--port', '0', '--host', '127.0.0.1', ...limits, 'app.cjs'], {
    cwd,
    env: { NODE_OPTIONS: '--require ./preload.cjs' },
  });
  await command.ready();
  command.child.kill('SIGTERM');
  assert.deepEqual(await command.ended, { status: null, signal: 'SIGKILL' });
  const said = command.lines.filter((line) => line.startsWith('nonstop: '));
  assert.equal(said.at(-1), 'nonstop: cut: everything under way in this process: its event loop was blocked');
  assert.ok(!command.lines.includes('loaded in the thread'), command.lines.join('\n'));
});

test('a drain with longer times than those of the signal is not ended hard', async () => {
  const cwd = programs({
    'hook.cjs': `
      const { onDrain, onShutdown } = require('nonstop/production');
      const long = () => new Promise((resolve) => setTimeout(resolve, 7000));
      onDrain(() => onShutdown('long', long, { timeout: '20s' }));
      module.exports = (req, res) => res.end();`,
    'own.cjs': `
      const { drain, onShutdown } = require('nonstop/production');
      const long = () => new Promise((resolve) => { console.log('waits'); setTimeout(resolve, 7000); });
      onShutdown('long', long, { timeout: '20s' });
      process.on('SIGUSR2', () => drain({ drainDelay: 0 }));
      module.exports = (req, res) => res.end();`,
  });
  // Ended hard after 5 s more.
  const limits = ['--drain-delay', '0', '--grace', '0', '--hook-timeout', '1ms'];
  const ends = ['hook.cjs', 'own.cjs'].map(async (file) => {
    const command = new Command([...local, ...limits, file], { cwd });
    await command.ready();
    if (file === 'own.cjs') {
      command.child.kill('SIGUSR2');
      await command.line(/^waits$/);
    }
    assert.equal(await command.end(), 0, command.lines.join('\n'));
    assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
  });
  await Promise.all(ends);
});

const local = ['--port', '0', '--host', '127.0.0.1'];

test('a process that may not start threads drains, too', async () => {
  const cwd = programs({ 'app.cjs': `module.exports = (req, res) => res.end();` });
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [flag, '--allow-fs-read=*', '--allow-fs-write=*'];
  if (process.allowedNodeEnvironmentFlags.has('--allow-net')) flags.push('--allow-net');
  const command = new Command([...local, 'app.cjs'], { cwd, flags });
  await command.ready();
  assert.equal(await command.end(), 0);
  assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
});

test('a signal before the process is ready drains, whatever the time to become ready', async () => {
  const cwd = programs({
    'app.cjs': `require('nonstop/production').addCheck('never', () => { console.log('asked'); return false; });
      module.exports = (req, res) => res.end();`,
  });
  const health = ['--metrics', '--health-port', '0', '--health-host', '127.0.0.1'];
  for (const options of [[], ['--workers', '1'], ['--workers', '1', ...health]]) {
    const times = ['--ready-timeout', '4s', '--drain-delay', '5s'];
    const command = new Command([...local, ...options, ...times, 'app.cjs'], { cwd });
    await command.line(/^asked$/);
    assert.equal(await command.end(), 0, command.lines.join('\n'));
    assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
  }
});

test('a stream that the program gave to its server in place of a socket is ended', async () => {
  const cwd = programs({
    'app.cjs': `
      const { Duplex } = require('node:stream');
      const production = require('nonstop/production');
      const server = require('node:http').createServer((req, res) => res.end('hello'));
      server.keepAliveTimeout = 100;
      const stream = new Duplex({ read() {}, write(part, encoding, done) { console.log(String(part).split('\\r\\n')[0]); done(); } });
      stream.on('finish', () => { console.log('ended'); stream.push(null); });
      production.onShutdown('hook', () => console.log('hook'));
      server.listen(0, '127.0.0.1', () => {
        server.emit('connection', stream);
        stream.push('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      });`,
  });
  const health = ['--health-port', '0', '--health-host', '127.0.0.1', '--drain-delay', '0', '--metrics'];
  const command = new Command([...health, 'app.cjs'], { cwd });
  const ready = await command.ready();
  await command.line(/^HTTP\/1\.1 200 OK$/);
  assert.match(
    (await ask(ready.health, { path: '/metrics' })).body,
    /^nonstop_http_bytes_total\{direction="read"\} 0$/m,
  );
  assert.equal(await command.end(), 0, command.lines.join('\n'));
  assert.ok(command.lines.includes('ended') && command.lines.includes('hook'), command.lines.join('\n'));
});

test('an upgraded stream that is no socket gets the end of its protocol', async () => {
  const cwd = programs({
    'app.cjs': `
      const { Duplex } = require('node:stream');
      const server = require('node:http').createServer((req, res) => res.end());
      const stream = new Duplex({ read() {}, write(part, encoding, done) { console.log(part.toString('hex').slice(0, 8)); done(); } });
      stream.on('finish', () => stream.push(null));
      server.on('upgrade', (req, socket) => { socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\n\\r\\n'); socket.resume(); });
      server.listen(0, '127.0.0.1', () => {
        server.emit('connection', stream);
        stream.push('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n');
      });`,
  });
  const command = new Command([...local, '--drain-delay', '0', '--stream-limit', '0', 'app.cjs'], { cwd });
  await command.ready();
  await command.line(/^48545450$/);
  assert.equal(await command.end(), 0, command.lines.join('\n'));
  assert.ok(command.lines.includes('880203e9'), command.lines.join('\n'));
});

test('an upgrade that nobody has answered when the time for streams is over gets 503', async () => {
  const cwd = programs({
    'app.cjs': `
      const server = require('node:http').createServer((req, res) => res.end());
      server.on('upgrade', (req, socket) => {
        console.log('upgrades');
        if (req.url === '/open') socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n');
      });
      server.listen(0, '127.0.0.1');`,
  });
  const command = new Command([...local, '--drain-delay', '0', '--stream-limit', '0', 'app.cjs'], { cwd });
  const { port } = await command.ready();
  const texts = ['/open', '/waits'].map(async (path) => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(socket, 'close');
    return text;
  });
  await until(
    async () => command.lines.filter((line) => line === 'upgrades').length,
    (count) => count === 2,
  );
  assert.equal(await command.end(), 0, command.lines.join('\n'));
  const [open, waits] = await Promise.all(texts);
  assert.match(open, /^HTTP\/1\.1 101 /);
  assert.ok(open.endsWith('\r\n\r\n\x88\x02\x03\xe9'), JSON.stringify(open));
  assert.equal(waits, 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
});

for (const engine of ['node', 'nonstop']) {
  test(`a request in a tunnel into the same server is not ended by the time for streams: ${engine}`, async () => {
    const cwd = programs({
      'app.cjs': `
        const http = require(${JSON.stringify(engine === 'node' ? 'node:http' : 'nonstop/http')});
        const server = http.createServer((req, res) => {
          if (req.url === '/events') return res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: first\\n\\n');
          // node's parser is on the sockets that node serves.
          console.log('holds', req.socket.parser ? 'node' : 'nonstop');
          process.on('SIGUSR2', () => res.end('went on'));
        });
        server.on('connect', (req, socket) => {
          socket.write('HTTP/1.1 200 OK\\r\\n\\r\\n');
          server.emit('connection', socket);
        });
        server.listen(0, '127.0.0.1');`,
    });
    const command = new Command([...local, '--stream-limit', '0', '--grace', '60s', 'app.cjs'], {
      cwd,
      env: { NONSTOP_ENGINE: engine },
    });
    const { port } = await command.ready();
    const socket = net.connect(port, '127.0.0.1');
    socket.setEncoding('latin1').write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await command.line(new RegExp(`^holds ${engine}$`));
    const events = (await once(http.get({ host: '127.0.0.1', port, path: '/events' }), 'response')) as [
      http.IncomingMessage,
    ];
    command.child.kill('SIGTERM');
    // The end of a stream says that the time for streams is over.
    await events[0].toArray();
    command.child.kill('SIGUSR2');
    await once(socket, 'close');
    assert.match(text, /went on$/);
    assert.deepEqual(await command.ended, { status: 0, signal: null });
  });
}

test('a server that begins to listen when the others have stopped is stopped', async () => {
  const cwd = programs({
    'app.cjs': `
      const http = require('node:http');
      http.createServer((req, res) => res.end()).listen(process.env.PORT, '127.0.0.1');
      const late = http.createServer((req, res) => res.end());
      const stopped = () => new Promise((resolve) => {
        late.on('close', () => { console.log('stopped'); resolve(); });
        late.listen(0, '127.0.0.1', () => console.log('listens', late.address().port > 0));
      });
      require('nonstop/production').onShutdown('late', stopped);`,
  });
  for (const workers of [[], ['--workers', '1']]) {
    const command = new Command([...local, ...workers, '--hook-timeout', '10s', 'app.cjs'], { cwd });
    await command.ready();
    assert.equal(await command.end(), 0, command.lines.join('\n'));
    assert.deepEqual(
      command.lines.filter((line) => !line.startsWith('nonstop: ')),
      ['listens true', 'stopped'],
    );
  }
});

test('a connection whose TLS handshake is under way when listening stops is served', async () => {
  const { key, cert } = certificate();
  const cwd = programs({
    'app.cjs': `
      const server = require('node:https').createServer(${JSON.stringify({ key, cert })}, (req, res) => res.end('served'));
      server.keepAliveTimeout = 60_000;
      server.listen(0, '127.0.0.1').on('connection', () => console.log('connected'));`,
  });
  const command = new Command(['--grace', '60s', 'app.cjs'], { cwd });
  const { port } = await command.ready();
  const socket = net.connect(port, '127.0.0.1');
  await command.line(/^connected$/);
  command.child.kill('SIGTERM');
  await until(
    () =>
      ask(port).then(
        () => '',
        (error: { code: string }) => error.code,
      ),
    (code) => code === 'ECONNREFUSED',
  );
  const client = tls.connect({ socket, rejectUnauthorized: false });
  let text = '';
  client.setEncoding('latin1').on('data', (part: string) => (text += part));
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'close');
  assert.match(text, /served$/);
  assert.deepEqual(await command.ended, { status: 0, signal: null });
});

test("the program's own shutdown closes its server without an error after the drain", async () => {
  const ends = `(server) => process.on('SIGTERM', () => server.close((error) => {
    console.log('closed', error);
    server.close((again) => { console.log('closed', again); process.exit(); });
  }))`;
  const cwd = programs({
    'own.cjs': `
      const server = require('node:http').createServer((req, res) => res.end()).listen(process.env.PORT, process.env.HOST);
      (${ends})(server);`,
    'later.cjs': `
      const app = (module.exports = require('express')());
      require('nonstop/production').addCheck('late', () => later);
      let later = false;
      setTimeout(() => { (${ends})(app.listen(process.env.PORT, () => (later = true))); }, 50);`,
  });
  for (const [file, ...workers] of [['own.cjs'], ['later.cjs'], ['own.cjs', '--workers', '1']]) {
    const command = new Command([...local, ...workers, file], { cwd });
    await command.ready();
    assert.equal(await command.end(), 0, command.lines.join('\n'));
    // Workers do not hear the signal: their supervisor tells them to drain.
    if (workers.length === 0) assert.deepEqual(command.lines.slice(-2), ['closed undefined', 'closed undefined']);
  }
});

test('an application that is not ready in time answers what is under way, and its hooks run', async () => {
  const cwd = programs({
    'app.cjs': `
      const { addCheck, draining, onShutdown } = require('nonstop/production');
      addCheck('never', () => false);
      onShutdown('hook', () => console.log('hook'));
      require('node:http').createServer((req, res) => draining.addEventListener('abort', () => res.end('late')))
        .listen(0, '127.0.0.1', function () { console.log('at ' + this.address().port); });`,
  });
  for (const workers of [[], ['--workers', '1']]) {
    const command = new Command([...workers, '--ready-timeout', '1s', 'app.cjs'], { cwd });
    const [, port] = await command.line(/^at (\d+)$/);
    assert.equal((await ask(Number(port))).body, 'late');
    if (workers.length > 0) {
      await command.line(/^hook$/);
      command.child.kill('SIGKILL');
      continue;
    }
    assert.deepEqual(await command.ended, { status: 4, signal: null });
    assert.ok(command.lines.includes('hook'), command.lines.join('\n'));
  }
});

test('options that are no object are refused, and nothing listens', async () => {
  const { stdout } = await runProgram({
    text: `
      const { serve, supervise } = require('nonstop/production');
      const told = ({ code, message }) => console.log(code, message);
      const handler = (req, res) => res.end();
      (async () => {
        for (const given of [8080, null, []]) await serve(handler, given).catch(told);
        await serve(handler, { signals: 'no' }).catch(told);
        await supervise().catch(told);
        await supervise('app.js', { args: '--name x' }).catch(told);
        const { addCheck, drain, onShutdown } = require('nonstop/production');
        for (const call of [
          () => addCheck('heap', () => true, 'live'),
          () => addCheck('heap', () => true, { type: 'live' }),
          () => onShutdown('db', () => true, 100),
          () => onShutdown('db', () => true, { time: 100 }),
          () => drain(10),
        ]) {
          try { call(); } catch (error) { told(error); }
        }
      })();`,
  });
  const object = 'and must be an object, such as { port: 8080 }';
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `ERR_NONSTOP_OPTION options is 8080, ${object}`,
    `ERR_NONSTOP_OPTION options is null, ${object}`,
    `ERR_NONSTOP_OPTION options is '[]', ${object}`,
    "ERR_NONSTOP_OPTION signals is 'no', and must be true or false",
    'ERR_NONSTOP_OPTION file is undefined, and must be the path of a program',
    "ERR_NONSTOP_OPTION args is '--name x', and must be a list, such as ['--name', 'x']",
    "ERR_NONSTOP_OPTION options is 'live', and must be an object, such as { kind: 'live' }",
    "ERR_NONSTOP_OPTION an option is 'type', and must be 'kind'",
    "ERR_NONSTOP_OPTION options is 100, and must be an object, such as { timeout: '10s' }",
    "ERR_NONSTOP_OPTION an option is 'time', and must be 'timeout'",
    "ERR_NONSTOP_OPTION options is 10, and must be an object, such as { grace: '30s' }",
  ]);
});

test('a second serve() after a drain says that the process has drained', async () => {
  const { stdout } = await runProgram({
    text: `
      const { serve } = require('nonstop/production');
      const where = { port: 0, host: '127.0.0.1' };
      serve((req, res) => res.end(), where).then(async (service) => {
        await service.drain();
        await serve((req, res) => res.end(), where).catch(({ code }) => console.log(code));
      });`,
  });
  assert.equal(stdout, 'ERR_NONSTOP_DRAINED\n');
});
