module.exports = {
  wants: ['express-openid-connect', 'express'],
  about: 'a page for logged-in users, the redirect to the provider, logout; the provider is a separate server',
  folder: 'openid-connect',
  masks: [
    [/127\.0\.0\.1(:|%3A)\d+/g, 'HOST'],
    [/(state|nonce|code_challenge|auth_verification)=[^;&]*/g, '$1=X'],
    [/Content-Length: .*/g, ''],
  ],
  async start() {
    const express = require('express');
    const { once } = require('node:events');
    const provider = express();
    provider.get('/.well-known/openid-configuration', (req, res) => {
      const issuer = `http://${req.get('host')}`;
      res.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        jwks_uri: `${issuer}/jwks`,
        token_endpoint: `${issuer}/token`,
        end_session_endpoint: `${issuer}/end`,
        response_types_supported: ['id_token'],
        response_modes_supported: ['form_post'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    });
    const server = provider.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { auth, requiresAuth } = require('express-openid-connect');
    const app = express();
    app.use(
      auth({
        issuerBaseURL: `http://127.0.0.1:${server.address().port}`,
        baseURL: 'http://ecosystem.test',
        clientID: 'an-id',
        secret: 'a secret that is long enough to be one',
        authRequired: false,
      }),
    );
    app.get('/', (req, res) => res.json({ in: req.oidc.isAuthenticated() }));
    app.get('/profile', requiresAuth(), (req, res) => res.json(req.oidc.user));
    app.use((error, req, res, next) => res.status(error.status ?? 500).send(error.message));
    return app;
  },
  requests: [
    'GET /',
    'GET /profile\nAccept: text/html',
    'GET /profile\nAccept: application/json',
    'GET /login',
    'GET /logout',
    'POST /callback\nContent-Type: application/x-www-form-urlencoded\n\nstate=x&id_token=y',
  ],
};
