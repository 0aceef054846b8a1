'use strict';

const { createHmac } = require('node:crypto');

const SECRET = 'not a secret here';
const ID = 'a-session-of-the-lab';

const signature = createHmac('sha256', SECRET).update(ID).digest('base64').replace(/=+$/, '');

/** The cookies of a user with a session. */
exports.sessionCookie = `connect.sid=${encodeURIComponent(`s:${ID}.${signature}`)}`;

/** An application with its own session store, which starts and ends with it. */
exports.sessionApplication = function sessionApplication(express) {
  const { spawn, spawnSync } = require('node:child_process');
  const fs = require('node:fs');
  const os = require('node:os');
  const path = require('node:path');
  const { RedisStore } = require('connect-redis');
  const session = require('express-session');
  const { createClient } = require('redis');

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-lab-'));
  const socket = path.join(folder, 'store');
  const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
  const server = spawn(program, ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  // A signal alone would end the process without the event 'exit'.
  process.once('SIGTERM', () => process.exit());
  process.once('exit', () => {
    server.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const client = createClient({ socket: { path: socket, reconnectStrategy: 20 } });
  client.on('error', () => {});
  const cookie = { originalMaxAge: null, expires: null, httpOnly: true, path: '/' };
  const store = new RedisStore({ client });
  const ready = client.connect().then(() => client.set(`sess:${ID}`, JSON.stringify({ cookie, user: 'Ada' })));

  const app = express();
  app.use((req, res, next) => void ready.then(() => next(), next));
  app.use(session({ store, secret: SECRET, resave: false, saveUninitialized: false }));
  app.get('/', (req, res) => {
    res.json({ user: req.session.user });
  });
  return app;
};
