module.exports = {
  wants: ['oidc-provider', 'express'],
  about: 'mounted below a path: discovery, keys, a token for a client, wrong clients, the start of a login',
  folder: 'oidc-provider',
  clock: 'runs',
  masks: [
    [/"access_token":"[^"]*"/g, '"access_token":"X"'],
    [/(_interaction[a-z_.]*)=[^;]*/g, '$1=X'],
    [/interaction\/[\w-]+/g, 'interaction/X'],
    [/expires=[^;]*/gi, 'expires'],
    [/Content-Length: .*/g, ''],
    [/nonce-[^']*/g, 'nonce'],
  ],
  async start() {
    const express = require('express');
    const { default: Provider } = await import('oidc-provider');
    const provider = new Provider('http://ecosystem.test/oidc', {
      clients: [
        {
          client_id: 'app',
          client_secret: 'secret',
          grant_types: ['client_credentials', 'authorization_code'],
          redirect_uris: ['https://a.example/cb'],
        },
      ],
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: true },
        introspection: { enabled: true },
      },
      cookies: { keys: ['a', 'b'] },
    });
    const app = express();
    app.use('/oidc', provider.callback());
    app.get('/', (req, res) => res.send('a page'));
    return app;
  },
  requests: [
    'GET /',
    'GET /oidc/.well-known/openid-configuration',
    'POST /oidc/token\nAuthorization: Basic YXBwOnNlY3JldA==\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials',
    'POST /oidc/token\nAuthorization: Basic YXBwOndyb25n\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials',
    'POST /oidc/token\nContent-Type: application/json\n\n{}',
    'GET /oidc/auth?client_id=app&response_type=code&redirect_uri=https://a.example/cb&scope=openid&code_challenge=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs&code_challenge_method=S256',
    'GET /oidc/me',
    'GET /oidc/nowhere',
    'OPTIONS /oidc/token\nOrigin: https://a.example\nAccess-Control-Request-Method: POST',
  ],
};
