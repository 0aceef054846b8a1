'use strict';

const { RedisStore } = require('connect-redis');
const express = require('express');
const session = require('express-session');
const { addCheck, draining, onShutdown } = require('nonstop/production');
const { createClient } = require('redis');

/*
 * An application for many processes on many machines: what a client has done is in Valkey (or Redis), and each process may answer each request.
 * It is run by the command: `npx nonstop --workers 2 --health-port 9090 --metrics app.js`.
 */

const valkey = createClient({
  url: process.env.VALKEY_URL ?? 'redis://127.0.0.1:6379',
  // While Valkey is away requests fail at once, and do not wait for it.
  disableOfflineQueue: true,
  socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1000) },
});
valkey.on('error', (error) => console.error(`valkey: ${error.message || error.code}`));
// Not ready before the first connection. Later losses are no reason: all processes would be taken out at once.
let connected = false;
addCheck('valkey', () => connected);
valkey.connect().then(
  () => {
    connected = true;
  },
  (error) => console.error(`valkey: ${error.message}`),
);
onShutdown('valkey', () => valkey.close());

const app = express();
app.set('trust proxy', 1);
app.disable('x-powered-by');
app.get('/', (req, res) => res.send(`hello from ${process.pid}\n`));

/** Work that keeps the processor busy, for trying out the limits of overload. */
app.get('/busy/:ms', (req, res) => {
  const end = performance.now() + Math.min(Number(req.params.ms) || 0, 1000);
  while (performance.now() < end);
  res.send('done\n');
});

/** Events, until the client goes or the process drains: the client comes back by itself, to another. */
app.get('/events', (req, res) => {
  res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  res.write(`retry: 100\ndata: ${process.pid}\n\n`);
  const beat = setInterval(() => res.write(': beat\n\n'), 1000);
  const end = () => res.end('event: moved\ndata:\n\n');
  draining.addEventListener('abort', end);
  res.on('close', () => {
    clearInterval(beat);
    draining.removeEventListener('abort', end);
  });
});

app.use(
  session({
    store: new RedisStore({ client: valkey, prefix: 'session:', ttl: 3600 }),
    secret: process.env.SESSION_SECRET ?? 'only for trying it out',
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax' },
  }),
);

/** Counts in the session, and for each id how often it came: an answer that was lost on its way is seen by a 2. */
app.post('/orders/:id', async (req, res) => {
  const times = await valkey.incr(`order:${req.params.id}`);
  await valkey.expire(`order:${req.params.id}`, 3600);
  req.session.orders = (req.session.orders ?? 0) + 1;
  res.json({ id: req.params.id, times, orders: req.session.orders, pid: process.pid });
});

app.get('/orders', (req, res) => res.json({ orders: req.session.orders ?? 0, pid: process.pid }));

/*
 * express-session saves when the answer ends. Where that fails, it tells Express, which can send no 500 any more and ends the connection: under the
 * next request, where a proxy has sent one on it by then. The answer is complete, so the connection can stay.
 */
app.use((error, req, res, next) => {
  if (res.writableEnded) return console.error(error);
  // Of a request that failed nothing is saved (its option `unset`), which would fail as well where the store is away.
  req.session = null;
  next(error);
});

module.exports = app;
