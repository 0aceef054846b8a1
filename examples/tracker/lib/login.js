'use strict';

const session = require('express-session');
const { Passport } = require('passport');
const { Strategy } = require('passport-local');
const { LoginThrottle } = require('./login-throttle');
const { checkPassword } = require('./passwords');
const { LevelSessionStore } = require('./session-store');

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Sessions, and passport on top of them: after this `req.user` is the visitor who logged in, if any. Returns the passport. */
function installLogin(app, { store, secret, clock, ids }) {
  const passport = new Passport();
  const throttle = new LoginThrottle(clock);

  passport.use(
    new Strategy(async (name, password, done) => {
      try {
        const key = name.toLowerCase();
        const wait = throttle.secondsToWait(key);
        if (wait > 0) return done(null, false, { status: 429, wait, message: 'Too many attempts. Try again later.' });
        // Counted before the password is checked: many attempts at once would all be checked otherwise.
        throttle.failed(key);
        const user = await store.users.find(name);
        if (await checkPassword(password, user?.password)) {
          throttle.succeeded(key);
          return done(null, user);
        }
        return done(null, false, { status: 401, message: 'That name and password do not match.' });
      } catch (error) {
        return done(error);
      }
    }),
  );
  passport.serializeUser((user, done) => done(null, user.name));
  passport.deserializeUser((name, done) => {
    store.users.find(name).then((user) => done(null, user ?? false), done);
  });

  app.use(
    session({
      name: 'tracker.sid',
      secret,
      genid: () => ids('session'),
      store: new LevelSessionStore(store.sessions, { lifetimeMs: WEEK_MS, clock }),
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: WEEK_MS },
    }),
  );
  app.use(passport.initialize());
  app.use(passport.session());
  return passport;
}

/** Sends a visitor who is not logged in to the login page, and back here afterwards. */
function requireLogin(req, res, next) {
  if (req.user) return next();
  if (req.method === 'GET') req.session.returnTo = req.originalUrl;
  req.flash('info', 'Please log in first.');
  res.redirect(303, '/account/login');
}

module.exports = { installLogin, requireLogin };
