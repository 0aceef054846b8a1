'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const express = require('nonstop');

function createApp() {
  const app = express();
  const feeds = new Set();
  let ended = false;

  app.get('/', (req, res) => {
    res.json({ version: req.httpVersion, protocol: req.protocol, host: req.hostname });
  });
  // Server-sent events: over HTTP/2 a page may have any number of them on one connection.
  app.get('/events', (req, res) => {
    res.set('Content-Type', 'text/event-stream');
    if (ended) return res.end();
    res.flushHeaders();
    feeds.add(res);
    const timer = setInterval(() => res.write(`data: ${Date.now()}\n\n`), 1000);
    res.on('close', () => {
      clearInterval(timer);
      feeds.delete(res);
    });
  });

  /** Ends all feeds, and those that come later, so that a server can close; browsers reconnect by themselves. */
  app.locals.endFeeds = () => {
    ended = true;
    for (const feed of feeds) feed.end();
  };
  return app;
}

/**
 * HTTP/2 for clients that support it, HTTP/1.1 for the others.
 *
 * @param {{ key: string | Buffer, cert: string | Buffer, port: number, host?: string }} options
 */
function serve(options) {
  const app = createApp();
  const server = app.listen({ http2: true, ...options });

  /** Sessions get a notice, requests under way are finished, and feeds are ended. */
  function stop() {
    server.close();
    app.locals.endFeeds();
  }

  return { server, stop };
}

module.exports = { serve };

if (require.main === module) {
  const file = (name) => readFileSync(path.join(__dirname, name));
  const port = Number(process.env.HTTPS_PORT ?? 8443);
  const { server, stop } = serve({ port, key: file('key.pem'), cert: file('cert.pem') });
  server.on('listening', () => console.log(`https://localhost:${server.address().port}`));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
}
