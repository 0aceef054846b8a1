module.exports = {
  wants: ['@node-saml/passport-saml', 'samlp', 'passport', 'express-session', 'express'],
  about:
    'a login from the request to the signed answer of a provider (samlp), metadata of both sides, forged and missing answers',
  start() {
    const express = require('express');
    const passport = require('passport');
    const samlp = require('samlp');
    const { Strategy } = require('@node-saml/passport-saml');
    const { cert, key, publicKey } = keys();
    const app = express();
    const callback = 'https://app.example/login/callback';
    const provider = {
      issuer: 'urn:provider',
      cert,
      key,
      getPostURL: (audience, domain, req, done) => done(null, callback),
      getUserFromRequest: () => ({
        id: 'ann',
        displayName: 'Ann Ä',
        name: { familyName: 'Ä', givenName: 'Ann' },
        emails: [{ value: 'ann@a.example' }],
      }),
    };
    app.get('/provider', samlp.auth(provider));
    app.get(
      '/provider/metadata',
      samlp.metadata({
        ...provider,
        profileMapper: samlp.PassportProfileMapper,
        redirectEndpointPath: '/provider',
        postEndpointPath: '/provider',
      }),
    );
    const strategy = new Strategy(
      {
        callbackUrl: callback,
        entryPoint: 'https://provider.example/provider',
        issuer: 'urn:app',
        idpCert: publicKey,
        wantAuthnResponseSigned: false,
        audience: false,
        acceptedClockSkewMs: -1,
        validateInResponseTo: 'never',
      },
      (profile, done) => done(null, { id: profile.nameID, issuer: profile.issuer }),
      (profile, done) => done(null, profile),
    );
    passport.use('saml', strategy);
    passport.serializeUser((user, done) => done(null, user));
    passport.deserializeUser((user, done) => done(null, user));
    app.use(require('express-session')({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
    app.use(express.urlencoded({ extended: false }), passport.session());
    app.get('/login', passport.authenticate('saml'));
    app.post('/login/callback', passport.authenticate('saml', { failureRedirect: '/failed' }), (req, res) =>
      res.redirect('/me'),
    );
    app.get('/me', (req, res) => res.json(req.user ?? null));
    app.get('/metadata', (req, res) => res.type('xml').send(strategy.generateServiceProviderMetadata(null, cert)));
    app.use((error, req, res, next) => res.status(500).send(`${error.name}: ${error.message}`));
    return app;
  },
  masks: [
    [/(SAMLResponse"\s+value=")[^"]*/g, '$1ANSWER'],
    [/(X509Certificate>)[^<]*/g, '$1CERTIFICATE'],
    [/(Content-Length|ETag): .*/g, '$1'],
  ],
  async play({ send }) {
    await send('GET /metadata');
    await send('GET /provider/metadata');
    const { search } = new URL((await send('GET /login')).get('location'));
    const page = await send(`GET /provider${search}`);
    const [, escaped] = /name="SAMLResponse"\s+value="([^"]*)"/.exec(page.text);
    const answer = escaped.replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    const post = (body) => send(`POST /login/callback\nContent-Type: application/x-www-form-urlencoded\n\n${body}`);
    await post(`SAMLResponse=${encodeURIComponent(answer)}`);
    await send('GET /me');
    const forged = Buffer.from(answer, 'base64').toString().replaceAll('ann', 'bob');
    await post(`SAMLResponse=${encodeURIComponent(Buffer.from(forged).toString('base64'))}`);
    await post('SAMLResponse=AAAA');
    await post('');
    await send('GET /provider?SAMLRequest=AAAA');
    await send('GET /provider');
  },
};

/** @returns a key and, in the place of a certificate, its public half: nothing here reads more of a certificate */
function keys() {
  const { publicKey, privateKey } = require('node:crypto').generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { key: privateKey, publicKey, cert: publicKey.replaceAll('PUBLIC KEY', 'CERTIFICATE') };
}
