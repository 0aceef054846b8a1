module.exports = {
  wants: ['express-oauth-server', 'express'],
  about: 'tokens by password, client, code and refresh, wrong ones, the redirect with a code, a protected route',
  start() {
    const express = require('express');
    const OAuthServer = require('express-oauth-server');
    const app = express();
    const oauth = new OAuthServer({ model: modelOf() });
    app.use(express.json(), express.urlencoded({ extended: false }));
    app.post('/token', oauth.token());
    app.get('/authorize', oauth.authorize({ authenticateHandler: { handle: () => ({ id: 'ann' }) } }));
    app.get('/secret', oauth.authenticate(), (req, res) => res.json(res.locals.oauth.token.user));
    return app;
  },
  masks: [[/"expires_in":\d+/g, '"expires_in":0']],
  async play({ send }) {
    const own = 'client_id=app&client_secret=secret';
    const token = (body, field = 'X-None: 1') =>
      send(`POST /token\nContent-Type: application/x-www-form-urlencoded\n${field}\n\n${body}`);
    const basic = (pair) => `Authorization: Basic ${Buffer.from(pair).toString('base64')}`;
    const first = JSON.parse((await token(`grant_type=password&username=ann&password=pw&${own}`)).text);
    await token(`grant_type=password&username=ann&password=wrong&${own}`);
    await token('grant_type=client_credentials', basic('app:secret'));
    await token('grant_type=client_credentials', basic('app:wrong'));
    await token(`grant_type=none&${own}`);
    await token('');
    await send('POST /token\nContent-Type: application/json\n\n{"grant_type":"password"}');
    const query = 'response_type=code&client_id=app&state=1&redirect_uri=';
    const answer = await send(`GET /authorize?${query}https://app.example/cb`);
    const code = new URL(answer.get('location')).searchParams.get('code');
    await token(`grant_type=authorization_code&code=${code}&redirect_uri=https://app.example/cb&${own}`);
    await token(`grant_type=authorization_code&code=wrong&${own}`);
    await token(`grant_type=refresh_token&refresh_token=${first.refresh_token}&${own}`);
    await send(`GET /authorize?${query}https://other.example/cb`);
    await send('GET /authorize?client_id=app');
    await send(`GET /secret\nAuthorization: Bearer ${first.access_token}`);
    await send('GET /secret\nAuthorization: Bearer wrong');
    await send('GET /secret');
  },
};

/** @returns a model in memory: one client, one user */
function modelOf() {
  const tokens = [];
  const codes = new Map();
  const grants = ['password', 'client_credentials', 'authorization_code', 'refresh_token'];
  const client = { id: 'app', redirectUris: ['https://app.example/cb'], grants };
  return {
    getClient: (id, secret) => id === 'app' && (!secret || secret === 'secret') && client,
    getUser: (name, password) => password === 'pw' && { id: name },
    getUserFromClient: () => ({ id: 'the client' }),
    saveToken(token, of, user) {
      tokens.push({ ...token, client: of, user });
      return tokens.at(-1);
    },
    getAccessToken: (value) => tokens.find(({ accessToken }) => accessToken === value),
    getRefreshToken: (value) => tokens.find(({ refreshToken }) => refreshToken === value),
    revokeToken: () => true,
    saveAuthorizationCode(code, of, user) {
      codes.set(code.authorizationCode, { ...code, client: of, user });
      return codes.get(code.authorizationCode);
    },
    getAuthorizationCode: (code) => codes.get(code),
    revokeAuthorizationCode: ({ code }) => codes.delete(code),
    validateScope: (user, of, scope) => scope ?? 'all',
    verifyScope: () => true,
  };
}
