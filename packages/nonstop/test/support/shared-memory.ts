import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import { doors, type Door } from './doors.js';

/** The size of a read. */
const SIZE = 65_536;

/** What another client may have sent: requests, one after another. No client of test/fuzz/crossing has this mark. */
const STRANGE = Buffer.alloc(SIZE, 'GET /c999r0001 HTTP/1.1\r\nHost: strange\r\nX-Mark: c999r0001\r\n\r\n');

interface Receiving extends net.Socket {
  readonly _handle: { useUserBuffer(memory: Uint8Array): void };
}

/** Finds the memory into which all connections of the engine read, one after another, in the call that gives it to a handle. */
async function findMemory(door: Door): Promise<Uint8Array> {
  const server = door.createServer({});
  let found: Uint8Array | undefined;
  server.prependListener('connection', ({ _handle: handle }: Receiving) => {
    const { useUserBuffer } = handle;
    handle.useUserBuffer = (memory) => {
      found = memory;
      useUserBuffer.call(handle, memory);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  client.destroy();
  server.close();
  assert.equal(found?.length, SIZE, 'the engine reads in another way');
  return found;
}

let memory: Promise<Uint8Array> | undefined;

/**
 * A function to call wherever code of a program runs, because another connection may be read there. As that read does, it overwrites the
 * memory that all connections of the engine share. By then the engine must have copied what it still needs of its own read.
 */
export async function strangeRead(door: Door): Promise<() => void> {
  if (door.serves !== 'engine') return () => {};
  const shared = await (memory ??= findMemory(doors[1]));
  return () => shared.set(STRANGE);
}
