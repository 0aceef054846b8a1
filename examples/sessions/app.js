'use strict';

const { randomBytes, scrypt, timingSafeEqual } = require('node:crypto');
const { promisify } = require('node:util');
const express = require('nonstop');
const session = require('express-session');

const hash = promisify(scrypt);
const LENGTH = 32;

const page = (title, body) => `<!doctype html><meta charset="utf-8"><title>${title}</title>${body}`;
const escaped = (text) =>
  text.replaceAll(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);

/** Refuses forms of other sites: browsers send the origin of a request. */
function sameSite(req, res, next) {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const origin = req.get('Origin');
  if (origin === undefined || origin === `${req.protocol}://${req.get('Host')}`) return next();
  res.status(403).send('not from here');
}

/**
 * @param {{ secret?: string, secure?: boolean, store?: import('express-session').Store }} [options] `secure`: the site has HTTPS;
 *   `store`: where sessions are kept. The default store, in memory, is only for trying it out.
 */
function createApp({ secret = randomBytes(32).toString('hex'), secure = false, store } = {}) {
  /** Salt and hash of the password, by name. Use a database in a real application. */
  const users = new Map();
  const app = express();

  app.use(sameSite);
  app.use(express.urlencoded({ limit: '1kb' }));
  app.use(
    session({
      secret,
      store,
      name: 'id',
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure, maxAge: 3_600_000 },
    }),
  );

  function logIn(req, res, next, name) {
    // A new id, so that an id known before the login is worthless.
    req.session.regenerate((error) => {
      if (error) return next(error);
      req.session.user = name;
      res.redirect(303, '/');
    });
  }

  app.get('/', (req, res) => {
    const { user } = req.session;
    if (user === undefined) {
      const form = (action) =>
        `<form method="post" action="/${action}"><input name="name" required><input name="password" type="password" required>` +
        `<button>${action}</button></form>`;
      return res.send(page('Welcome', form('login') + form('signup')));
    }
    res.send(
      page(
        'Account',
        `<p>Hello, ${escaped(user)}</p><form method="post" action="/logout"><button>Log out</button></form>`,
      ),
    );
  });

  app.post('/signup', async (req, res, next) => {
    const { name, password } = req.body ?? {};
    if (typeof name !== 'string' || !/^[a-z]{2,20}$/.test(name))
      return res.status(422).send('a name of 2 to 20 small letters, a to z');
    if (typeof password !== 'string' || password.length < 8)
      return res.status(422).send('a password of 8 characters or more');
    const salt = randomBytes(16);
    const digest = await hash(password, salt, LENGTH);
    // Checked after the last `await`: two clients may sign up with one name at once. In a database use a unique column.
    if (users.has(name)) return res.status(409).send('the name is taken');
    users.set(name, { salt, digest });
    logIn(req, res, next, name);
  });

  app.post('/login', async (req, res, next) => {
    const { name, password } = req.body ?? {};
    // The same work for an unknown name, so that the response time does not reveal which names exist.
    const { salt, digest } = users.get(name) ?? { salt: randomBytes(16), digest: randomBytes(LENGTH) };
    if (timingSafeEqual(await hash(String(password), salt, LENGTH), digest)) return logIn(req, res, next, name);
    res.status(401).send('wrong name or password');
  });

  app.post('/logout', (req, res, next) => {
    req.session.destroy((error) => (error ? next(error) : res.clearCookie('id').redirect(303, '/')));
  });

  return app;
}

module.exports = { createApp };

if (require.main === module) {
  const server = createApp().listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}`);
  });
}
