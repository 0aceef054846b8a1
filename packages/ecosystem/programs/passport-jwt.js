module.exports = {
  wants: ['passport-jwt', 'passport', 'jsonwebtoken', 'express'],
  about: 'a token in the field, an expired one, a wrong signature, no token',
  start() {
    const express = require('express');
    const passport = require('passport');
    const { Strategy, ExtractJwt } = require('passport-jwt');
    const app = express();
    const options = {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: 'secret',
      issuer: 'accounts',
    };
    passport.use(
      new Strategy(options, (payload, done) => done(null, payload.sub === 'ann' ? { name: payload.sub } : false)),
    );
    app.get('/profile', passport.authenticate('jwt', { session: false }), (req, res) => res.json(req.user));
    return app;
  },
  async play({ send }) {
    const jwt = require('jsonwebtoken');
    const ask = (token) => send(`GET /profile\nAuthorization: Bearer ${token}`);
    await ask(jwt.sign({ sub: 'ann' }, 'secret', { issuer: 'accounts', expiresIn: 60 }));
    await ask(jwt.sign({ sub: 'ben' }, 'secret', { issuer: 'accounts' }));
    await ask(jwt.sign({ sub: 'ann' }, 'secret', { issuer: 'accounts', expiresIn: -60 }));
    await ask(jwt.sign({ sub: 'ann' }, 'wrong', { issuer: 'accounts' }));
    await send('GET /profile');
  },
};
