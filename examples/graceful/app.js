'use strict';

const { setTimeout: wait } = require('node:timers/promises');
const express = require('nonstop');

/**
 * Serves until it is asked to stop. Then it reports that it is not ready, asks clients to close their connections, accepts no new ones,
 * finishes the requests under way, and cuts off those that take too long. What can be lost: a request that comes on an idle connection while
 * that is closed. The command `nonstop` keeps such connections for as long as they were promised.
 *
 * @param {{ port: number, host?: string, notReadyMs?: number, graceMs?: number }} options `notReadyMs`: the time after which the load balancer
 *   has noticed that this process is not ready; `graceMs`: how long a request may still take
 */
function serve({ port, host, notReadyMs = 0, graceMs = 10_000 }) {
  const app = express();
  let ready = true;
  app.use((req, res, next) => {
    if (!ready) res.set('Connection', 'close');
    next();
  });

  // "Alive" means that the process works, "ready" that it accepts requests.
  app.get('/alive', (req, res) => res.send('yes'));
  app.get('/ready', (req, res) => res.status(ready ? 200 : 503).send(ready ? 'yes' : 'no'));
  app.get('/slow/:ms', async (req, res) => {
    await wait(Math.min(Number(req.params.ms) || 0, 5000));
    res.send('done');
  });

  const server = app.listen(port, host);

  /** @returns {Promise<void>} resolves when the last connection is closed */
  async function stop() {
    if (!ready) return;
    ready = false;
    await wait(notReadyMs);
    const closed = new Promise((resolve) => server.close(() => resolve()));
    // close() ends connections that are idle now. Those that become idle later are ended here.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
  }

  return { server, stop };
}

module.exports = { serve };

if (require.main === module) {
  const { server, stop } = serve({ port: Number(process.env.PORT ?? 3000), notReadyMs: 2000 });
  server.on('listening', () => console.log(`http://localhost:${server.address().port}/ready`));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      await stop();
      process.exit(0);
    });
  }
}
