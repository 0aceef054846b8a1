import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import { doors, type Door } from './doors.js';

/** The size of a read. */
const SIZE = 65_536;

/** What another client may have sent: requests, one behind the other. Its name is the mark of a client that the search for what crosses does not have. */
const STRANGE = Buffer.alloc(SIZE, 'GET /c999r0001 HTTP/1.1\r\nHost: strange\r\nX-Mark: c999r0001\r\n\r\n');

interface Receiving extends net.Socket {
  readonly _handle: { useUserBuffer(memory: Uint8Array): void };
}

/** The memory into which all connections of the engine read, one after another: the handle of each is told. */
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
 * What code of a program calls where another connection may be read: at each place where such code runs. As that read does, the function
 * changes the memory that all connections of the engine share. What the engine still needs of a read it has copied by then.
 */
export async function strangeRead(door: Door): Promise<() => void> {
  if (door.serves !== 'engine') return () => {};
  const shared = await (memory ??= findMemory(doors[1]));
  return () => shared.set(STRANGE);
}
