'use strict';

const express = require('nonstop');

const KEPT = 100;
const HEARTBEAT_MS = 15_000;
/** Octets that may wait for a client that reads slowly. It is cut off then, reconnects, and gets what it has missed. */
const MOST_WAITING = 1_000_000;

/** A feed to which every client can add. A client that reconnects gets the events that it has missed. */
function createApp() {
  const app = express();
  /** The last events, oldest first. */
  const events = [];
  const followers = new Set();
  /** Ids begin with the time of the start: those of an earlier process, which a client may send after a restart, are smaller. */
  let last = Date.now();
  let ended = false;

  const format = ({ id, text }) => `id: ${id}\ndata: ${JSON.stringify({ text })}\n\n`;

  app.get('/', (req, res) => {
    res.send(`<!doctype html><meta charset="utf-8"><title>Feed</title><ul></ul><script>
  new EventSource('/events').onmessage = ({ data }) => {
    const line = document.createElement('li');
    line.textContent = JSON.parse(data).text;
    document.querySelector('ul').append(line);
  };
</script>`);
  });

  app.post('/events', express.text({ limit: '1kb' }), (req, res) => {
    // A body of another type is not read.
    if (typeof req.body !== 'string') return res.status(415).send('send a text, with Content-Type: text/plain');
    const event = { id: ++last, text: req.body };
    events.push(event);
    if (events.length > KEPT) events.shift();
    for (const follower of followers) {
      follower.write(format(event));
      if (follower.writableLength > MOST_WAITING) follower.destroy();
    }
    res.sendStatus(202);
  });

  app.get('/events', (req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    const seen = Number(req.get('Last-Event-ID') ?? 0);
    for (const event of events) if (event.id > seen) res.write(format(event));
    if (ended) return res.end();
    res.flushHeaders();
    followers.add(res);
    // A comment line keeps proxies from closing a silent connection.
    const heartbeat = setInterval(() => res.write(': still here\n\n'), HEARTBEAT_MS);
    res.on('close', () => {
      clearInterval(heartbeat);
      followers.delete(res);
    });
  });

  /** Ends all feeds, and those that come later, so that a server can close; browsers reconnect by themselves. */
  app.locals.endFeeds = () => {
    ended = true;
    for (const follower of followers) follower.end();
  };
  return app;
}

module.exports = { createApp };

if (require.main === module) {
  const app = createApp();
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}`);
  });
  const stop = () => {
    server.close();
    app.locals.endFeeds();
    // close() ends connections that are idle now. Those that become idle later are ended here.
    setInterval(() => server.closeIdleConnections(), 100).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
}
