'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const express = require('nonstop');

function createApp() {
  const app = express();
  app.get('/', (req, res) => {
    res.json({ version: req.httpVersion, protocol: req.protocol, host: req.hostname });
  });
  // Server-sent events: over HTTP/2 a page may have any number of them on one connection.
  app.get('/events', (req, res) => {
    res.set('Content-Type', 'text/event-stream').flushHeaders();
    const timer = setInterval(() => res.write(`data: ${Date.now()}\n\n`), 1000);
    res.on('close', () => clearInterval(timer));
  });
  return app;
}

/**
 * HTTP/2 for clients that support it, HTTP/1.1 for the others.
 *
 * @param {{ key: string | Buffer, cert: string | Buffer, port: number, host?: string }} options
 */
function listen(options) {
  return createApp().listen({ http2: true, ...options });
}

module.exports = { listen };

if (require.main === module) {
  const file = (name) => readFileSync(path.join(__dirname, name));
  const port = Number(process.env.HTTPS_PORT ?? 8443);
  const server = listen({ port, key: file('key.pem'), cert: file('cert.pem') });
  server.on('listening', () => console.log(`https://localhost:${port}`));
  // Sessions get a notice, and requests under way are finished.
  process.on('SIGTERM', () => server.close());
}
