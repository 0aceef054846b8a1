module.exports = {
  wants: ['keycloak-connect', 'express-session', 'express'],
  about: 'protected routes without a login, an invalid bearer token, logout',
  start() {
    const express = require('express');
    const session = require('express-session');
    const Keycloak = require('keycloak-connect');
    const store = new session.MemoryStore();
    const app = express();
    app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: true, store }));
    const keycloak = new Keycloak(
      { store },
      {
        realm: 'a-realm',
        'auth-server-url': 'http://keycloak.test/',
        resource: 'app',
        'ssl-required': 'none',
        'public-client': true,
      },
    );
    app.use(keycloak.middleware({ logout: '/logout', admin: '/' }));
    app.get('/', (req, res) => res.send('open'));
    app.get('/secret', keycloak.protect(), (req, res) => res.send('secret'));
    app.get('/role', keycloak.protect('realm:admin'), (req, res) => res.send('role'));
    return app;
  },
  requests: [
    'GET /',
    'GET /secret',
    'GET /role',
    'GET /secret\nAuthorization: Bearer none',
    'GET /logout',
    'POST /k_push_not_before\n\nx',
  ],
};
