'use strict';

const cluster = require('node:cluster');

const { PEER, PROCESSES, DOOR } = process.env;

/**
 * Runs the server of PEER in so many processes at one port, as node:cluster does it: one process accepts and deals the
 * connections out. With DOOR=reusePort each process listens by itself, and the system deals them out.
 */
async function lead() {
  // What they print comes here: this process alone says where they listen, when all of them do.
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  cluster.on('exit', (worker, code, signal) => {
    console.error(`a process of ${PEER} ended (${signal ?? code})`);
    process.exit(1);
  });
  const first = await listening(cluster.fork());
  // Sharing a handle, any port is that of the first; listening by themselves, they have to name it.
  const env = DOOR === 'reusePort' ? { PORT: first } : {};
  for (let count = 1; count < Number(PROCESSES); count++) await listening(cluster.fork(env));
  console.log(`listening ${first}`);
}

/** Waits until a process says the port that it listens at. */
function listening(worker) {
  return new Promise((resolve) => {
    let printed = '';
    worker.process.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const port = /^listening (\d+)$/m.exec(printed)?.[1];
      if (port !== undefined) resolve(port);
    });
  });
}

if (cluster.isPrimary) void lead();
else require(`./${PEER}`);
