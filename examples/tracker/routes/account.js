'use strict';

const { httpError } = require('../lib/errors');
const { requireLogin } = require('../lib/login');
const { hashPassword } = require('../lib/passwords');
const { accountFrom, invalid } = require('../lib/validate');

function account({ express, store, ids, passport }) {
  const router = express.Router();

  router.get('/', requireLogin, (req, res) => {
    res.render('account/show', { title: 'Your account', hasToken: req.user.token !== undefined });
  });

  router
    .route('/login')
    .get((req, res) => res.render('account/login', { title: 'Log in', name: '', problem: null }))
    .post((req, res, next) => {
      passport.authenticate('local', (error, user, info) => {
        if (error) return next(error);
        if (!user) return refuseLogin(req, res, info);
        enter(req, res, user).catch((problem) => next(problem));
      })(req, res, next);
    });

  router
    .route('/signup')
    .get((req, res) => res.render('account/signup', { title: 'Sign up', name: '', fields: {} }))
    .post(async (req, res) => {
      try {
        const { name, password } = accountFrom(req.body);
        const user = { name, password: await hashPassword(password) };
        if (!(await store.users.add(user))) throw invalid({ username: 'That name is taken.' });
        await enter(req, res, user);
      } catch (error) {
        if (error.fields === undefined) throw error;
        res
          .status(error.status)
          .render('account/signup', { title: 'Sign up', name: nameIn(req), fields: error.fields });
      }
    });

  router.post('/logout', (req, res, next) => {
    req.logout((error) => {
      if (error) return next(error);
      req.flash('info', 'You are logged out.');
      res.redirect(303, '/issues');
    });
  });

  router.post('/token', requireLogin, async (req, res) => {
    const token = ids('token');
    await store.users.setToken(req.user.name, token);
    req.flash('success', `Your new API token is ${token} – it is shown only now.`);
    res.redirect(303, '/account');
  });

  router.all(['/login', '/signup', '/logout', '/token'], (req, res) => {
    res.set('Allow', req.path === '/login' || req.path === '/signup' ? 'GET, HEAD, POST' : 'POST');
    throw httpError(405);
  });

  return router;
}

function refuseLogin(req, res, { status = 400, wait, message } = {}) {
  if (wait !== undefined) res.set('Retry-After', String(wait));
  res.status(status).render('account/login', { title: 'Log in', name: nameIn(req), problem: message });
}

const nameIn = (req) => (typeof req.body?.username === 'string' ? req.body.username.slice(0, 24) : '');

/** Logs the visitor in. Passport starts a new session for that, so a session id planted beforehand is worth nothing. */
async function enter(req, res, user) {
  const { returnTo = '/issues' } = req.session;
  await new Promise((resolve, reject) => req.logIn(user, (error) => (error ? reject(error) : resolve())));
  req.flash('success', `Welcome, ${user.name}.`);
  res.redirect(303, returnTo);
}

module.exports = { account };
