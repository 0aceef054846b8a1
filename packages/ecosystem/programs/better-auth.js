module.exports = {
  wants: ['better-auth', 'express'],
  about: 'toNodeHandler: sign-up, sign-in, the session, sign-out, a wrong password',
  folder: 'better-auth',
  clock: 'runs',
  masks: [
    [/"(createdAt|updatedAt|expiresAt|id|token|userId)":"[^"]*"/g, '"$1":"X"'],
    [/(session_token|session_data)=[^;]*/g, '$1=X'],
    [/Content-Length: .*|ETag: .*/gi, ''],
  ],
  async start() {
    const express = require('express');
    const { betterAuth } = await import('better-auth');
    const { memoryAdapter } = await import('better-auth/adapters/memory');
    const { toNodeHandler, fromNodeHeaders } = await import('better-auth/node');
    const database = memoryAdapter({ user: [], session: [], account: [], verification: [] });
    const auth = betterAuth({
      database,
      secret: 'a secret that is long enough to be one',
      baseURL: 'http://ecosystem.test',
      emailAndPassword: { enabled: true },
      rateLimit: { enabled: false },
      logger: { disabled: true },
      telemetry: { enabled: false },
    });
    const app = express();
    app.all('/api/auth/*splat', toNodeHandler(auth));
    app.use(express.json());
    app.get('/api/me', async (req, res) =>
      res.json(await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })),
    );
    return app;
  },
  async play({ send }) {
    const origin = 'Origin: http://ecosystem.test';
    const post = (path, body) =>
      send(`POST /api/auth${path}\nContent-Type: application/json\n${origin}\n\n${JSON.stringify(body)}`);
    await send('GET /api/auth/ok');
    await post('/sign-up/email', { email: 'ann@a.example', password: 'secret-secret', name: 'Ann' });
    await send('GET /api/me');
    await post('/sign-out', {});
    await send('GET /api/me');
    await post('/sign-in/email', { email: 'ann@a.example', password: 'wrong-wrong' });
    await post('/sign-in/email', { email: 'ann@a.example', password: 'secret-secret' });
    await send('GET /api/auth/get-session');
    await send('GET /api/auth/nowhere');
  },
};
