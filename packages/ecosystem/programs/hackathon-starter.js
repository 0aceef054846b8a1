// An application in the shape of hackathon-starter: pages of pug, sessions, login, flash messages, csrf tokens, uploads, a log.
const page =
  'doctype html\nhtml\n  body\n    each kind in ["errors", "success"]\n      each each in (messages[kind] || [])\n        p(class=kind)= each.msg\n    if user\n      a(href="/account")= user.email\n    block content\n';
module.exports = {
  wants: [
    'lusca',
    'express-session',
    'passport',
    'passport-local',
    'express-flash',
    'compression',
    'morgan',
    'errorhandler',
    'multer',
    'pug',
    'validator',
    'express',
  ],
  about: 'an application like hackathon-starter: pages, sessions, login, flash messages, csrf tokens, uploads, a log',
  folder: 'hackathon-starter',
  files: {
    'views/layout.pug': page,
    'views/home.pug': 'extends layout\nblock content\n  h1 Home\n',
    'views/login.pug':
      'extends layout\nblock content\n  form(method="POST")\n    input(type="hidden" name="_csrf" value=_csrf)\n',
    'public/main.css': 'body { color: red; }\n'.repeat(100),
  },
  start({ folder, note }) {
    const express = require('express');
    const session = require('express-session');
    const passport = require('passport');
    const LocalStrategy = require('passport-local');
    const lusca = require('lusca');
    const validator = require('validator');
    const multer = require('multer');
    const users = new Map();
    passport.serializeUser((user, done) => done(null, user.email));
    passport.deserializeUser((email, done) => done(null, users.get(email) ?? false));
    passport.use(
      new LocalStrategy({ usernameField: 'email' }, (email, password, done) =>
        done(null, users.get(email)?.password === password && users.get(email), { msg: 'Invalid email or password.' }),
      ),
    );
    const app = express();
    app.set('views', `${folder}/views`).set('view engine', 'pug').set('trust proxy', 1);
    app.use(require('compression')());
    app.use(require('morgan')(':method :url :status', { stream: { write: (line) => note('log', line.trim()) } }));
    app.use(express.json(), express.urlencoded({ extended: true }));
    app.use(
      session({
        resave: true,
        saveUninitialized: true,
        secret: 'secret',
        name: 'startercookie',
        cookie: { maxAge: 1_209_600_000, secure: false },
      }),
    );
    app.use(passport.initialize(), passport.session());
    app.use(require('express-flash')());
    app.use((req, res, next) => (req.path === '/upload' ? next() : lusca.csrf()(req, res, next)));
    app.use(lusca.xframe('SAMEORIGIN'), lusca.xssProtection(true));
    app.disable('x-powered-by');
    app.use((req, res, next) => {
      res.locals.user = req.user;
      if (!req.user && req.path.startsWith('/account')) req.session.returnTo = req.originalUrl;
      next();
    });
    app.use('/', express.static(`${folder}/public`, { maxAge: 31_557_600_000 }));
    const authenticated = (req, res, next) => (req.isAuthenticated() ? next() : res.redirect('/login'));
    app.get('/', (req, res) => res.render('home'));
    app.get('/login', (req, res) => (req.user ? res.redirect('/') : res.render('login')));
    app.post('/signup', (req, res, next) => {
      if (!validator.isEmail(req.body.email)) {
        req.flash('errors', [{ msg: 'Please enter a valid email address.' }]);
        return res.redirect('/login');
      }
      const user = { email: validator.normalizeEmail(req.body.email), password: req.body.password };
      users.set(user.email, user);
      req.logIn(user, (error) => (error ? next(error) : res.redirect('/')));
    });
    app.post('/login', (req, res, next) => {
      passport.authenticate('local', (error, user, info) => {
        if (error) return next(error);
        if (!user) {
          req.flash('errors', info);
          return res.redirect('/login');
        }
        req.logIn(user, (failed) => {
          if (failed) return next(failed);
          const to = req.session.returnTo ?? '/';
          req.flash('success', { msg: 'You are logged in.' });
          res.redirect(to);
        });
      })(req, res, next);
    });
    app.get('/logout', (req, res, next) =>
      req.logout((error) => (error ? next(error) : req.session.destroy(() => res.redirect('/')))),
    );
    app.get('/account', authenticated, (req, res) => res.render('home'));
    app.post('/upload', multer({ dest: `${folder}/uploads` }).single('file'), lusca.csrf(), (req, res) =>
      res.json({ size: req.file.size }),
    );
    app.use((req, res) => res.status(404).send('Page Not Found'));
    return app;
  },
  async play({ send }) {
    const token = async () => /value="([^"]+)"/.exec((await send('GET /login')).text)[1];
    const form = (path, fields) =>
      send(`POST ${path}\nContent-Type: application/x-www-form-urlencoded\n\n${new URLSearchParams(fields)}`);
    await send('GET /\nAccept-Encoding: gzip');
    await send('GET /main.css\nAccept-Encoding: gzip');
    await send('GET /account');
    await form('/login', { email: 'a@a.example', password: 'x' });
    await form('/signup', { email: 'no', password: 'x', _csrf: await token() });
    await form('/signup', { email: 'Ann@a.example', password: 'x', _csrf: await token() });
    await send('GET /account');
    await send('GET /login');
    await send('GET /logout');
    await send('GET /account');
    await form('/login', { email: 'ann@a.example', password: 'no', _csrf: await token() });
    const _csrf = await token();
    await form('/login', { email: 'Ann@a.example', password: 'x', _csrf });
    await form('/login', { email: 'ann@a.example', password: 'x', _csrf });
    await send('GET /');
    await send(
      `POST /upload?_csrf=${_csrf}\nX-CSRF-Token: ${_csrf}\nContent-Type: multipart/form-data; boundary=cut\n\n--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--cut--\r\n`,
    );
    await send('GET /nowhere');
  },
};
