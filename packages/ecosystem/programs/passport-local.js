module.exports = {
  wants: ['passport-local', 'passport', 'express-session', 'express'],
  about: 'login with a session, a wrong password, logout, a page for logged-in users',
  start() {
    const express = require('express');
    const session = require('express-session');
    const passport = require('passport');
    const LocalStrategy = require('passport-local');
    const app = express();
    const users = [{ id: 1, username: 'ann', password: 'secret' }];
    passport.use(
      new LocalStrategy((username, password, done) => {
        const user = users.find((each) => each.username === username);
        if (!user || user.password !== password)
          return done(null, false, { message: 'Incorrect username or password.' });
        return done(null, user);
      }),
    );
    passport.serializeUser((user, done) =>
      process.nextTick(() => done(null, { id: user.id, username: user.username })),
    );
    passport.deserializeUser((user, done) => process.nextTick(() => done(null, user)));
    app.use(express.urlencoded({ extended: false }));
    app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
    app.use(passport.authenticate('session'));
    app.post(
      '/login',
      passport.authenticate('local', { successRedirect: '/', failureRedirect: '/login', failureMessage: true }),
    );
    app.get('/login', (req, res) => res.json(req.session.messages ?? []));
    app.post('/logout', (req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/'))));
    app.get('/', (req, res) => res.json({ user: req.user ?? null, in: req.isAuthenticated() }));
    return app;
  },
  requests: [
    'GET /',
    'POST /login\nContent-Type: application/x-www-form-urlencoded\n\nusername=ann&password=wrong',
    'GET /login',
    'POST /login\nContent-Type: application/x-www-form-urlencoded\n\nusername=ann&password=secret',
    'GET /',
    'POST /logout',
    'GET /',
    'POST /login',
  ],
};
