'use strict';

const { RedisStore } = require('connect-redis');
const express = require('express');
const session = require('express-session');
const { addCheck, draining, onShutdown } = require('nonstop/production');
const { createClient } = require('redis');

/*
 * An application for many processes on many machines: sessions are in Valkey (or Redis), so that each process can answer each request.
 * The command runs it: `npx nonstop --workers 2 --health-port 9090 --metrics app.js`.
 */

const valkey = createClient({
  url: process.env.VALKEY_URL ?? 'redis://127.0.0.1:6379',
  // While Valkey is unavailable requests fail at once instead of waiting.
  disableOfflineQueue: true,
  socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1000) },
});
// Each attempt to connect reports an error, and most say the same.
let reported = '';
function report(error) {
  const what = error.message || error.code;
  if (what === reported) return;
  reported = what;
  console.error(`valkey: ${what}; start Valkey or Redis, or set VALKEY_URL. Tries go on until it answers.`);
}
valkey.on('error', report);
valkey.on('ready', () => (reported = ''));
// Not ready before the first connection. Later losses do not matter: otherwise all processes would be taken out at once.
let connected = false;
addCheck('valkey', () => connected);
valkey.connect().then(() => {
  connected = true;
}, report);
onShutdown('valkey', () => valkey.close());

// All processes sign with one secret. Without a secret of your own anybody could make a session.
const { NODE_ENV, SESSION_SECRET } = process.env;
if (NODE_ENV === 'production' && !SESSION_SECRET) throw new Error('set SESSION_SECRET to a long random text');

const app = express();
app.set('trust proxy', 1);
app.disable('x-powered-by');
app.get('/', (req, res) => res.send(`hello from ${process.pid}\n`));

/** Keeps the processor busy, to try the limits of overload. Leave it out of an application of your own. */
app.get('/busy/:ms', (req, res) => {
  const end = performance.now() + Math.min(Number(req.params.ms) || 0, 1000);
  while (performance.now() < end);
  res.send('done\n');
});

/** Events, until the client disconnects or the process drains: the client then reconnects to another process. */
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
    secret: SESSION_SECRET ?? 'only for trying it out',
    resave: false,
    saveUninitialized: false,
    // Over HTTPS alone where the request came by it, which the proxy says in X-Forwarded-Proto.
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto' },
  }),
);

/** Counts in the session, and how often each id was sent: 2 means that an answer was lost on its way. */
app.post('/orders/:id', async (req, res) => {
  const times = await valkey.incr(`order:${req.params.id}`);
  await valkey.expire(`order:${req.params.id}`, 3600);
  req.session.orders = (req.session.orders ?? 0) + 1;
  res.json({ id: req.params.id, times, orders: req.session.orders, pid: process.pid });
});

app.get('/orders', (req, res) => res.json({ orders: req.session.orders ?? 0, pid: process.pid }));

/*
 * express-session saves at the end of the answer. If that fails, it calls next(error); Express can no longer send a 500 and closes the
 * connection, possibly after a proxy has sent the next request on it. The answer is complete, so the connection can stay open.
 */
app.use((error, req, res, next) => {
  if (res.writableEnded) return console.error(error);
  // After a failed request nothing is saved (option `unset`): that would fail too while the store is unavailable.
  req.session = null;
  next(error);
});

module.exports = app;
