import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedSymbol } from '../../src/core/shared.js';
import { Held } from '../../src/production/held.js';
import { Measurements, type Metric } from '../../src/production/metrics.js';
import { Traffic, type Ended } from '../../src/production/traffic.js';
import { bounded } from '../support/bounded.js';

const kPosition = sharedSymbol('position');

/** The record of a request that was handled by the route with this pattern. */
function ended(pattern: string, method = 'GET', aborted = false): Ended {
  const req = { method, route: { path: pattern }, [kPosition]: { pattern, url: pattern, outer: undefined } };
  return { req, res: { statusCode: 200 }, start: performance.now(), aborted } as unknown as Ended;
}

/** The counts of requests, by their labels. */
function counts(measurements: Measurements): Map<string, number> {
  const durations = measurements.snapshot().find(({ type }) => type === 'histogram')!;
  const counted = durations.values.filter(({ metricName }) => metricName?.endsWith('_count'));
  return new Map(counted.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

test('a program that makes routes while it runs does not fill memory: after 1,000 patterns all others count as one', () => {
  const measurements = new Measurements(new Traffic());
  for (let i = 0; i < 1010; i++) measurements.ended(ended(`/route/${i}`));
  measurements.ended(ended('/route/0'));
  const counted = counts(measurements);
  assert.deepEqual([counted.get('GET /route/0 200'), counted.get('GET /route/999 200')], [2, 1]);
  assert.deepEqual([counted.get('GET other 200'), counted.size], [10, 1001]);
});

test('methods that node does not know count as one: a program may write any text to req.method', () => {
  const measurements = new Measurements(new Traffic());
  for (const method of ['GET', 'one', 'two']) measurements.ended(ended('/', method));
  assert.deepEqual(
    [...counts(measurements)],
    [
      ['GET / 200', 1],
      ['other / 200', 2],
    ],
  );
});

test('a request whose client went away counts as 499, whatever its status was', () => {
  const measurements = new Measurements(new Traffic());
  measurements.ended(ended('/', 'GET', true));
  for (let i = 0; i < 2; i++) measurements.ended(ended('/'));
  assert.deepEqual(
    [...counts(measurements)],
    [
      ['GET / 499', 1],
      ['GET / 200', 2],
    ],
  );
  const aborted = measurements.snapshot().find(({ name }) => name === 'nonstop_http_requests_aborted_total');
  assert.deepEqual(aborted?.values, [{ labels: {}, value: 1 }]);
});

/** The values of a metric, by their labels. */
function valuesOf(measurements: Measurements, name: string): Record<string, number> {
  const { values } = measurements.snapshot().find((metric) => metric.name === name)!;
  const keyOf = ({ labels, metricName = '' }: Metric['values'][number]): string =>
    [metricName.slice(name.length), ...Object.values(labels)].filter((part) => part !== '').join(' ');
  return Object.fromEntries(values.map((value) => [keyOf(value), value.value]));
}

test('a request counts in each bucket that is not shorter than it, and its duration is in the sum', () => {
  const measurements = new Measurements(new Traffic());
  const took = (milliseconds: number): void =>
    measurements.ended({ ...ended('/'), start: performance.now() - milliseconds });
  // The server has answered it by itself.
  measurements.ended({ ...ended('/'), start: undefined });
  // Far from the ends of their buckets, for a busy machine.
  took(5100);
  took(1_000_000);
  const found = valuesOf(measurements, 'nonstop_http_request_duration_seconds');
  const buckets = ['0.001', '5', '10', '+Inf'].map((bound) => found[`_bucket ${bound} GET / 200`]);
  assert.deepEqual([...buckets, found['_count GET / 200']], [1, 1, 2, 3, 3]);
  const sum = found['_sum GET / 200'];
  assert.ok(sum >= 1005.1 && sum < 1500, String(sum));
});

test('connections count by what they do, and their octets together with those of closed ones', () => {
  const traffic = new Traffic();
  const measurements = new Measurements(traffic);
  const connections = [1, 2, 4, 8].map((bytesRead) => new Held({ bytesRead, bytesWritten: bytesRead * 10 } as Socket));
  const [active, upgraded] = connections;
  active.add({} as http.IncomingMessage, {} as http.ServerResponse, 0);
  upgraded.upgraded = 'websocket';
  for (const held of connections) traffic.connections.add(held);
  traffic.closed.read = 100;
  traffic.closed.written = 1000;
  assert.deepEqual(valuesOf(measurements, 'nonstop_http_connections'), { idle: 2, active: 1, upgraded: 1 });
  assert.deepEqual(valuesOf(measurements, 'nonstop_http_bytes_total'), { read: 115, written: 1150 });
});

test('octets that wait in a connection do not count, because it may close before they are sent', async (t) => {
  const traffic = new Traffic();
  const measurements = new Measurements(traffic);
  const server = http.createServer((_req, res) => {
    // The system takes a part of the first; the others wait behind it.
    res.write(Buffer.alloc(10_000_000));
    setImmediate(() => {
      for (const _ of [1, 2]) res.write(Buffer.alloc(10_000_000));
      server.emit('written');
    });
  });
  traffic.follow(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').pause();
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const written = (): number => valuesOf(measurements, 'nonstop_http_bytes_total')['written'];
  await bounded(once(server, 'written'), () => 'a request');
  const open = written();
  assert.ok(open > 0 && open < 30_000_000, String(open));
  const [held] = traffic.connections;
  const closed = once(held.socket, 'close');
  held.socket.destroy();
  await closed;
  assert.ok(written() >= open, `${written()} behind ${open}`);
});

test('refused messages count by their reason', () => {
  const measurements = new Measurements(new Traffic());
  for (const code of ['HPE_INVALID_METHOD', 'too many connections', 'HPE_INVALID_METHOD'])
    measurements.countRefused(code);
  const refused = valuesOf(measurements, 'nonstop_http_refused_messages_total');
  assert.deepEqual(refused, { HPE_INVALID_METHOD: 2, 'too many connections': 1 });
});

test('the delay of the event loop is that since the last scrape, and the largest of all processes', async () => {
  const measurements = new Measurements(new Traffic());
  const name = 'nonstop_event_loop_delay_seconds';
  const delays = (): Record<string, number> => valuesOf(measurements, name);
  let found = delays();
  // Its timer runs each 20 ms, and measures from its first run after a scrape.
  for (let wait = 50; found['max'] === 0; wait *= 2) {
    await sleep(wait);
    found = delays();
  }
  assert.ok(found['max'] > 0.001 && found['p99'] > 0.001 && found['p50'] > 0.001, JSON.stringify(found));
  assert.equal(delays()['max'], 0);
  assert.equal(measurements.snapshot().find((metric) => metric.name === name)!.aggregator, 'max');
});
