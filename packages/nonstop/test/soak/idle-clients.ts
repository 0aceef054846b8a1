// The clients of `idle`, in their own process: both ends of ten thousand connections need more descriptors than one process
// may have. Arguments: port, connections. Reports 'ready' when each has got an answer, and at the end how many have ended.
import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');

const REQUEST = 'GET /idle HTTP/1.1\r\nHost: idle\r\n\r\n';
/** Opened at the same time: the backlog of a server holds 511. */
const BATCH = 250;

const [port, connections] = process.argv.slice(2).map(Number);

/** @returns a connection on which one request has been answered, and which is read until its end */
async function answered(): Promise<net.Socket> {
  const client = net.connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(REQUEST);
  const [answer] = (await once(client, 'data')) as [Buffer];
  assert.match(answer.toString('latin1'), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nidle$/);
  return client.resume();
}

async function main(): Promise<void> {
  const ends: Promise<unknown>[] = [];
  while (ends.length < connections) {
    const batch = Array.from({ length: Math.min(BATCH, connections - ends.length) }, () => answered());
    for (const client of await Promise.all(batch)) ends.push(once(client, 'close'));
  }
  process.send?.('ready');
  await Promise.all(ends);
  process.send?.(ends.length);
  process.disconnect();
}

void main();
