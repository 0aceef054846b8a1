module.exports = {
  wants: ['passport-oauth2', 'passport', 'express-session', 'express'],
  about: 'the redirect to a provider and back, with state and PKCE; the provider is the same application',
  start() {
    const express = require('express');
    const session = require('express-session');
    const passport = require('passport');
    const OAuth2Strategy = require('passport-oauth2');
    const app = express();
    app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
    app.use((req, res, next) => {
      if (!passport._strategies?.oauth2) use(`http://127.0.0.1:${req.socket.localPort}`);
      next();
    });
    const use = (provider) =>
      passport.use(
        new OAuth2Strategy(
          {
            authorizationURL: 'https://provider.example/authorize',
            tokenURL: `${provider}/token`,
            clientID: 'an-id',
            clientSecret: 'a secret',
            callbackURL: 'https://app.example/callback',
            state: true,
            pkce: true,
          },
          (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken }),
        ),
      );
    app.post('/token', express.urlencoded({ extended: false }), (req, res) => {
      if (req.body.code !== 'good')
        return res.status(400).json({ error: 'invalid_grant', error_description: 'no such code' });
      res.json({ access_token: `of ${req.body.client_id}`, refresh_token: 'again', token_type: 'Bearer' });
    });
    app.get('/login', (req, res, next) => passport.authenticate('oauth2', { scope: ['email'] })(req, res, next));
    app.get(
      '/callback',
      (req, res, next) => passport.authenticate('oauth2', { session: false })(req, res, next),
      (req, res) => res.json(req.user),
    );
    app.use((error, req, res, next) =>
      res.status(error.status ?? 500).json({ name: error.name, message: error.message }),
    );
    return app;
  },
  async play({ send }) {
    for (const code of ['good', 'bad']) {
      const state = new URL((await send('GET /login')).get('location')).searchParams.get('state');
      await send(`GET /callback?code=${code}&state=${encodeURIComponent(state)}`);
    }
    await send('GET /callback?code=good&state=forged');
    await send('GET /callback?error=access_denied');
  },
};
