'use strict';

const cluster = require('node:cluster');

const { PEER, PROCESSES, DOOR } = process.env;

/**
 * Runs the server of PEER in several processes on one port, with node:cluster: one process accepts and distributes the
 * connections. With DOOR=reusePort each process listens by itself, and the system distributes them.
 */
async function lead() {
  // Their output comes here: only this process prints the address, once all of them listen.
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  cluster.on('exit', (worker, code, signal) => {
    console.error(`a process of ${PEER} ended (${signal ?? code})`);
    process.exit(1);
  });
  const first = await listening(cluster.fork());
  // With a shared handle, port 0 means the port of the first process; processes that listen by themselves need its number.
  const env = DOOR === 'reusePort' ? { PORT: first } : {};
  for (let count = 1; count < Number(PROCESSES); count++) await listening(cluster.fork(env));
  console.log(`listening ${first}`);
}

/** Waits until a process prints the port on which it listens. */
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
