#!/usr/bin/env node
'use strict';

const path = require('node:path');
const { createApp } = require('./app');

/** How long requests may still take after the process was asked to stop. */
const GRACE_MS = 10_000;
const IDLE_CHECK_MS = 100;

/**
 * Serves the tracker until SIGINT or SIGTERM.
 *
 * @param {Parameters<typeof createApp>[0] & { port: number, host?: string }} options
 * @returns {Promise<import('node:http').Server>} listening
 */
async function start({ port, host, ...options }) {
  const { app, drain, close } = await createApp(options);
  const server = await new Promise((resolve, reject) => {
    const listening = app.listen(port, host, (error) => (error ? reject(error) : resolve(listening)));
  });

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // Connections that are still busy after the grace period are cut, so that a stuck client cannot hold the process.
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
    const closed = new Promise((resolve) => server.close(resolve));
    // close() ends connections that are idle now. Those that become idle later are ended here.
    setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    drain();
    closed
      .then(close)
      .then(() => process.exit(0))
      .catch((error) => {
        console.error(error);
        process.exit(1);
      });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return server;
}

/** @returns {string} an address to open in a browser */
function addressOf(server) {
  const { address, port, family } = server.address();
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}/`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

async function main() {
  const {
    PORT = '3000',
    HOST,
    DATA_DIR = path.join(__dirname, 'data'),
    SEED = '50',
    TRUST_PROXY,
    ACCESS_LOG,
  } = process.env;
  const server = await start({
    port: Number(PORT),
    host: HOST,
    dataDir: DATA_DIR,
    seed: Number(SEED),
    trustProxy: TRUST_PROXY === undefined ? false : Number(TRUST_PROXY),
    log: ACCESS_LOG === 'off' ? false : process.stdout,
  });
  console.log(`Tracker listens on ${addressOf(server)}`);
}

module.exports = { start, addressOf };

if (require.main === module) {
  main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
