import { once } from 'node:events';
import { certificate } from '../../support/certificate.js';
import { doors } from '../../support/doors.js';
import { ours } from '../../support/framework.js';
import { oracle } from '../../support/oracle.js';
import { seeded } from '../../support/seeded.js';
import { strangeRead } from '../../support/shared-memory.js';
import { live } from './clients.js';
import { Planned, behavioursOf, listenerOf, upgradeListenerOf } from './handlers.js';
import { World, type Kind } from './world.js';

/** Of a client that has left in the middle, or a request behind one whose handler has thrown. */
const LEFT = ['HPE_INVALID_EOF_STATE', 'ECONNRESET', 'ECANCELED', 'EPIPE', 'HPE_CB_HEADERS_COMPLETE'];

/** What one run has to say. */
export interface Crossing {
  readonly faults: readonly string[];
  readonly answers: number;
  /** How many reads of a connection came inside a handler of another one. */
  readonly nested: number;
  /** Behaviours that no request had. */
  readonly unused: readonly string[];
}

/**
 * A program in a process of its own, because its handlers throw: clients of two servers at once, each of which marks every octet that it sends.
 * Prints a {@link Crossing}.
 */
async function main([name, kind, seed, clients, visits]: readonly string[]): Promise<void> {
  const door = doors.find((one) => one.name === name)!;
  const world = new World(seeded(Number(seed)), kind as Kind, await strangeRead(door));
  process.on('uncaughtException', (error) => {
    if (!(error instanceof Planned)) world.fault(`uncaught: ${error.stack}`);
  });
  const listener = listenerOf(door.serves === 'engine' ? ours : oracle, world);
  const plain = door.createServer({}, listener);
  const secure = door.createSecureServer(certificate(), listener);
  for (const server of [plain, secure]) {
    server.on('upgrade', upgradeListenerOf(world));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      world.touch();
      if (!LEFT.includes(error.code!))
        world.fault(`refused: ${error.code} ${String((error as { rawPacket?: Buffer }).rawPacket).slice(0, 200)}`);
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  let visited = 0;
  const servers = { plain, secure, survives: door.serves === 'engine' };
  const over = (): boolean => visited++ >= Number(visits);
  await Promise.all(Array.from({ length: Number(clients) }, (_, i) => live(world, servers, i, over)));
  world.lookAtKept();
  const { faults, answers, nested, handled } = world;
  const unused = behavioursOf(world).filter((name) => !handled.has(name));
  console.log(JSON.stringify({ faults, answers, nested, unused } satisfies Crossing));
  process.exit();
}

if (require.main === module) void main(process.argv.slice(2));
