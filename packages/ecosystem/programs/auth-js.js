module.exports = {
  wants: ['@auth/express', 'express'],
  about: 'its csrf token, providers, a login with credentials, the session',
  folder: 'auth-js',
  clock: 'runs',
  masks: [
    [/(session-token|csrf-token|callback-url)=[^;]*/g, '$1=X'],
    [/"csrfToken":"[^"]*"/g, '"csrfToken":"X"'],
    [/(value="[0-9a-f]{64}"|"expires":"[^"]*"|Expires=[^;]*)/gi, 'X'],
    [/Content-Length: .*|ETag: .*/gi, ''],
  ],
  async start() {
    const express = require('express');
    const { ExpressAuth, getSession } = await import('@auth/express');
    const { default: Credentials } = await import('@auth/express/providers/credentials');
    const config = {
      trustHost: true,
      secret: 'a secret',
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        Credentials({
          credentials: { name: {}, password: {} },
          authorize: ({ name, password }) => (password === 'secret' ? { id: '1', name } : null),
        }),
      ],
    };
    const app = express();
    app.set('trust proxy', true);
    app.use('/auth', ExpressAuth(config));
    app.get('/me', async (req, res) => res.json({ user: (await getSession(req, config))?.user ?? null }));
    return app;
  },
  async play({ send }) {
    await send('GET /auth/providers');
    await send('GET /me');
    const { csrfToken } = JSON.parse((await send('GET /auth/csrf')).text);
    const form = (password) =>
      `POST /auth/callback/credentials\nContent-Type: application/x-www-form-urlencoded\n\ncsrfToken=${csrfToken}&name=ann&password=${password}`;
    await send(form('wrong'));
    await send(form('secret'));
    await send('GET /auth/session');
    await send('GET /me');
    await send('GET /auth/signin');
  },
};
