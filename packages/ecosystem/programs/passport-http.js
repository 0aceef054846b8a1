module.exports = {
  wants: ['passport-http', 'passport', 'express'],
  about: 'Basic and Digest: challenges, right and wrong passwords',
  start() {
    const express = require('express');
    const passport = require('passport');
    const { BasicStrategy, DigestStrategy } = require('passport-http');
    const app = express();
    passport.use(
      new BasicStrategy({ realm: 'a realm' }, (name, password, done) => done(null, password === 'secret' && { name })),
    );
    passport.use(
      new DigestStrategy(
        { qop: 'auth' },
        (name, done) => done(null, { name }, 'secret'),
        (params, done) => done(null, true),
      ),
    );
    app.get('/basic', passport.authenticate('basic', { session: false }), (req, res) => res.json(req.user));
    app.get('/digest', passport.authenticate('digest', { session: false }), (req, res) => res.json(req.user));
    return app;
  },
  requests: [
    'GET /basic',
    'GET /basic\nAuthorization: Basic YW5uOnNlY3JldA==',
    'GET /basic\nAuthorization: Basic YW5uOndyb25n',
    'GET /basic\nAuthorization: Basic %%%',
    'GET /digest',
  ],
  async play({ send }) {
    const { createHash } = require('node:crypto');
    const md5 = (text) => createHash('md5').update(text).digest('hex');
    const challenge = (await send('GET /digest')).get('www-authenticate');
    const [, nonce] = /nonce="([^"]+)"/.exec(challenge);
    const response = md5(`${md5('ann:Users:secret')}:${nonce}:00000001:0a4f113b:auth:${md5('GET:/digest')}`);
    await send(
      `GET /digest\nAuthorization: Digest username="ann", realm="Users", nonce="${nonce}", uri="/digest", qop=auth, nc=00000001, cnonce="0a4f113b", response="${response}"`,
    );
  },
};
