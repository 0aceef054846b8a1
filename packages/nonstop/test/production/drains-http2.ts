import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { test } from 'node:test';
import { certificate } from '../support/certificate.js';
import { answerOf, ask } from '../support/http2-client.js';
import { Command, ask as askHealth, noSignals, programs, until } from '../support/nonstop-command.js';
import { block, frame, Frame, get, RawHttp2, END_HEADERS, END_STREAM } from '../support/raw-http2.js';

/** An application in which requests wait until a signal to their process, or a later request, lets them go on. */
const app = `
  const production = require('nonstop/production');
  const app = require('express')();
  const held = [];
  app.get('/', (req, res) => res.send('hello ' + req.httpVersion));
  app.get('/held', (req, res) => { held.push(res); console.log('holds', held.length); console.log('in', process.pid); });
  const go = () => { for (const each of held.splice(0)) each.send('went on'); };
  app.get('/go', (req, res) => { go(); res.send('gone'); });
  process.on('SIGUSR2', go);
  production.onDrain(() => console.log('drains', process.pid));
  app.get('/events', (req, res) => {
    res.set('Content-Type', 'text/event-stream').write('data: first\\n\\n');
    production.onDrain(() => res.write('data: notice\\n\\n'));
  });`;
const { key, cert } = certificate();
const cwd = programs({
  'key.pem': key,
  'cert.pem': cert,
  'secure.cjs': `${app}
  const [key, cert] = ['key', 'cert'].map((name) => require('fs').readFileSync(name + '.pem'));
  app.listen({ port: 0, host: '127.0.0.1', http2: true, key, cert });`,
  'clear.cjs': `${app} app.listen({ port: 0, host: '127.0.0.1', http2: true });`,
  'tunnels.cjs': `${app}
  const settings = { enableConnectProtocol: true };
  app.listen({ port: 0, host: '127.0.0.1', http2: true, settings }).on('connect', (req, res) => {
    req.stream.resume();
    res.writeHead(200);
    res.flushHeaders();
  });`,
  'own-server.cjs': `${app} module.exports = require('node:http2').createServer(app);`,
});

interface Running {
  readonly command: Command;
  readonly port: number;
  readonly health: number;
  readonly session: http2.ClientHttp2Session;
}

const fieldsOf = (path: string): http2.OutgoingHttpHeaders => ({ ':path': path });
const body = async (session: http2.ClientHttp2Session, path: string): Promise<string> =>
  String((await ask(session, { headers: fieldsOf(path) })).body);

/** @param engine value of NONSTOP_ENGINE @param workers the options that set the number of processes */
export function drainsHttp2(engine: string, workers: readonly string[]): void {
  const run = async (file: string, ...options: string[]): Promise<Running> => {
    const health = ['--health-port', '0', '--health-host', '127.0.0.1', '--metrics', '--drain-delay', '0'];
    const command = new Command([...workers, '--port', '0', '--host', '127.0.0.1', ...health, ...options, file], {
      cwd,
      env: { NONSTOP_ENGINE: engine },
    });
    const ready = await command.ready();
    const scheme = file === 'secure.cjs' ? 'https' : 'http';
    const open = (): http2.ClientHttp2Session => {
      const session = http2.connect(`${scheme}://127.0.0.1:${ready.port}`, { rejectUnauthorized: false });
      return session.on('error', () => undefined);
    };
    // With the first request the engine takes over a user's server.
    for (const _ of [1, 2]) {
      const first = open();
      assert.equal(await body(first, '/'), 'hello 2.0');
      first.close();
    }
    return { command, ...ready, session: open() };
  };
  const drained = async (command: Command): Promise<void> => {
    assert.deepEqual(await command.ended, { status: 0, signal: null }, command.lines.join('\n'));
    assert.equal(command.lines.at(-1), 'nonstop: drained, nothing was cut');
  };

  for (const file of ['secure.cjs', 'clear.cjs', 'own-server.cjs']) {
    test(`${file}: sessions get a notice, and wait for the requests under way`, async () => {
      const { command, session } = await run(file);
      const held = [1, 2].map(() => body(session, '/held'));
      await command.line(/^holds 2$/);
      const going = once(session, 'goaway');
      command.child.kill('SIGTERM');
      assert.equal((await going)[0], http2.constants.NGHTTP2_NO_ERROR);
      session.destroy();
      await Promise.all(held);
      await drained(command);
    });
  }

  test('requests are served as long as it listens', async () => {
    const { command, session, port } = await run('clear.cjs', '--drain-delay', '10m');
    command.child.kill('SIGTERM');
    await command.line(/^drains \d+$/);
    assert.equal(await body(session, '/'), 'hello 2.0');
    const other = http2.connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
    assert.equal(await body(other, '/'), 'hello 2.0');
    assert.equal(await command.endAgain(), 143);
  });

  test('a request under way is served after the notice', { skip: noSignals }, async () => {
    const { command, session } = await run('clear.cjs', '--drain-delay', '500ms');
    const held = ask(session, { headers: fieldsOf('/held') });
    await command.line(/^holds 1$/);
    const going = once(session, 'goaway');
    const closed = once(session, 'close');
    command.child.kill('SIGTERM');
    await going;
    const [, pid] = await command.line(/^in (\d+)$/);
    process.kill(Number(pid), 'SIGUSR2');
    const { body: said, whole } = await held;
    assert.deepEqual([String(said), whole], ['went on', true]);
    await closed;
    await drained(command);
  });

  test('a request after GOAWAY is not served, and GOAWAY has the number of the last one that was', async () => {
    const { command, port, session } = await run('clear.cjs');
    const raw = await RawHttp2.open({ address: () => ({ port }) } as never);
    await raw.until(Frame.Settings);
    raw.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get('/held')));
    await command.line(/^holds 1$/);
    command.child.kill('SIGTERM');
    const notice = await raw.until(Frame.GoAway);
    assert.equal(notice!.payload.readUInt32BE(0), 1);
    raw.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 3, get('/held')));
    // By answering the ping the client confirms that it has read the notice. Requests under way continue.
    const ping = await raw.until(Frame.Ping);
    raw.send(frame(Frame.Ping, 1, 0, ping!.payload), frame(Frame.Ping, 0, 0, Buffer.alloc(8, 1)));
    await until(
      async () => raw.frames.filter(({ type }) => type === Frame.Ping),
      (pings) => pings.length === 2,
    );
    assert.equal(raw.closed, false);
    assert.ok(!command.lines.includes('holds 2'));
    raw.send(frame(Frame.RstStream, 0, 1, Buffer.from([0, 0, 0, 8])));
    await raw.untilClosed();
    session.destroy();
    await drained(command);
  });

  test('a session without a stream ends when its client has read the notice', async () => {
    const { command, port, session } = await run('clear.cjs');
    session.destroy();
    const raw = await RawHttp2.open({ address: () => ({ port }) } as never);
    await raw.until(Frame.Settings);
    raw.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get('/')));
    await raw.until(Frame.Data, 1);
    command.child.kill('SIGTERM');
    const ping = await raw.until(Frame.Ping);
    const types = raw.frames.map(({ type }) => type);
    assert.ok(types.includes(Frame.GoAway) && types.indexOf(Frame.GoAway) < types.indexOf(Frame.Ping), types.join());
    raw.send(frame(Frame.Ping, 1, 0, ping!.payload));
    await raw.untilClosed();
    await drained(command);
  });

  test('the session of a client of node ends with its streams', async () => {
    const { command, session } = await run('secure.cjs');
    assert.equal(await body(session, '/'), 'hello 2.0');
    const closed = once(session, 'close');
    command.child.kill('SIGTERM');
    await closed;
    await drained(command);
  });

  test('an event stream gets the notice, and is ended as its protocol says', async () => {
    const { command, session } = await run('secure.cjs', '--stream-limit', '100ms');
    const stream = session.request(fieldsOf('/events'));
    const events = answerOf(stream);
    await once(stream, 'data');
    command.child.kill('SIGTERM');
    const { body: said, whole, reset } = await events;
    assert.deepEqual([String(said), whole, reset], ['data: first\n\ndata: notice\n\n', true, 0]);
    await drained(command);
  });

  for (const [protocol, ended] of [
    [undefined, ''],
    ['websocket', '880203e9'],
  ] as const) {
    const name = protocol ?? 'CONNECT';
    const fields = { ':method': 'CONNECT', ':authority': 'a:1' };
    const more: Record<string, string> =
      protocol === undefined ? {} : { ':protocol': protocol, ':path': '/', ':scheme': 'http' };

    test(`a tunnel is ended as its protocol says: ${name}`, async () => {
      const { command, session } = await run('tunnels.cjs', '--stream-limit', '100ms');
      await once(session, 'remoteSettings');
      const tunnel = session.request({ ...fields, ...more }, { endStream: false });
      await once(tunnel, 'response');
      command.child.kill('SIGTERM');
      const parts: Buffer[] = [];
      tunnel.on('data', (part: Buffer) => parts.push(part));
      await once(tunnel, 'end');
      assert.equal(Buffer.concat(parts).toString('hex'), ended);
      tunnel.end();
      await drained(command);
    });

    test(`a tunnel that its client keeps is cut off and listed: ${name}`, async () => {
      const { command, port, session } = await run('tunnels.cjs', '--stream-limit', '100ms', '--grace', '400ms');
      session.destroy();
      const raw = await RawHttp2.open({ address: () => ({ port }) } as never);
      await raw.until(Frame.Settings);
      raw.send(frame(Frame.Headers, END_HEADERS, 1, block({ ...fields, ...more })));
      await raw.until(Frame.Headers, 1);
      assert.equal(await command.end(), 5);
      await raw.untilClosed();
      await command.line(new RegExp(`^nonstop: cut: ${name} stream from 127\\.0\\.0\\.1$`));
    });
  }

  test('requests under way at the end of the grace period are cut off and listed', async () => {
    const { command, session } = await run('clear.cjs', '--grace', '200ms');
    const held = ask(session, { headers: fieldsOf('/held?a=1') });
    await command.line(/^holds 1$/);
    assert.equal(await command.end(), 5);
    assert.equal((await held).whole, false);
    await command.line(/^nonstop: cut: GET \/held\?a=1 from 127\.0\.0\.1, under way for \d+\.\d s$/);
  });

  test('requests are counted by their route, including those that were given up', async () => {
    const { command, session, health } = await run('clear.cjs');
    const text = async (): Promise<string> => (await askHealth(health, { path: '/metrics' })).body;
    const given = session.request(fieldsOf('/held'));
    given.on('error', () => undefined);
    await command.line(/^holds 1$/);
    assert.match(await text(), /nonstop_http_requests_in_flight 1\n/);
    given.close(http2.constants.NGHTTP2_CANCEL);
    const counts = (route: string, status: number): RegExp =>
      new RegExp(`_count\\{method="GET",route="${route}",status="${status}"\\} (\\d+)\n`);
    await until(text, (said) => counts('/held', 499).exec(said)?.[1] === '1');
    assert.equal(counts('/', 200).exec(await text())?.[1], '2');
    assert.match(await text(), /nonstop_http_requests_in_flight 0\n/);
    session.close();
    assert.equal(await command.end(), 0);
  });

  test('a limit per address applies to each stream, independent of other streams of its session', async () => {
    const { command, session } = await run('clear.cjs', '--max-per-address', '1', '--client-address', 'forwarded');
    const from = async (address: string, path: string): Promise<number> =>
      (await ask(session, { headers: { ...fieldsOf(path), 'x-forwarded-for': address } })).status;
    const held = from('192.0.2.1', '/held');
    await command.line(/^holds 1$/);
    assert.equal(await from('192.0.2.1', '/'), 429);
    assert.equal(await from('192.0.2.2', '/'), 200);
    assert.equal(await from('192.0.2.2', '/go'), 200);
    assert.equal(await held, 200);
    assert.equal(await from('192.0.2.1', '/'), 200);
    session.close();
    assert.equal(await command.end(), 0);
  });
}
