'use strict';

const cluster = require('node:cluster');
const { availableParallelism } = require('node:os');
const express = require('nonstop');

/** Serves in this process. @param {{ port: number, host?: string }} options */
function serve({ port, host }) {
  const app = express();
  app.get('/', (req, res) => res.json({ pid: process.pid }));
  app.get('/crash', (req, res) => {
    res.on('close', () => process.exit(1));
    res.send('bye');
  });
  return app.listen(port, host);
}

/**
 * Starts a process for each core. A process that ends is replaced, unless it ended right after its start: a program that cannot start is
 * not restarted endlessly.
 *
 * @param {{ workers?: number, file?: string, env?: Record<string, string> }} [options]
 */
function supervise({ workers = availableParallelism(), file = __filename, env = {} } = {}) {
  const SOON_MS = 1000;
  let stopping = false;
  cluster.setupPrimary({ exec: file });

  function start() {
    const begun = Date.now();
    const worker = cluster.fork(env);
    worker.on('exit', (code, signal) => {
      if (stopping) return;
      console.error(`process ${worker.process.pid} ended with ${signal ?? code}`);
      if (worker.isListening || Date.now() - begun > SOON_MS) start();
      else process.exitCode = 1;
    });
    worker.on('listening', () => (worker.isListening = true));
  }

  for (let count = 0; count < workers; count++) start();
  return function stop() {
    stopping = true;
    for (const worker of Object.values(cluster.workers)) worker.kill('SIGTERM');
  };
}

module.exports = { serve, supervise };

if (require.main === module) {
  if (cluster.isPrimary) {
    const stop = supervise();
    cluster.once('listening', (worker, { port }) => console.log(`http://localhost:${port}`));
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  } else {
    serve({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST });
  }
}
