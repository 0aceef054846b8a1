'use strict';

/** Shorter than the idle timeouts of common proxies. */
const HEARTBEAT_MS = 25_000;
/** Octets that may wait for a browser that reads slowly. It is cut off then, reconnects, and gets what it has missed. */
const MOST_WAITING = 1_000_000;

/** GET /events: what happens to issues, as server-sent events. A browser that reconnects gets what it missed. */
function events({ express, hub }) {
  const router = express.Router();

  router.get('/', (req, res) => {
    res.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' });
    res.write('retry: 3000\n\n');

    const send = ({ id, type, data }) => {
      res.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      // Compression holds small writes back until flush().
      res.flush?.();
      if (res.writableLength > MOST_WAITING) res.destroy();
    };
    const since = Number(req.get('Last-Event-ID') ?? Number.NaN);
    if (Number.isInteger(since)) hub.since(since).forEach(send);
    res.flush?.();

    const heartbeat = setInterval(() => {
      res.write(': still here\n\n');
      res.flush?.();
    }, HEARTBEAT_MS);
    const end = () => res.end();
    hub.on('event', send);
    hub.once('close', end);
    res.on('close', () => {
      clearInterval(heartbeat);
      hub.off('event', send);
      hub.off('close', end);
    });
  });

  return router;
}

module.exports = { events };
