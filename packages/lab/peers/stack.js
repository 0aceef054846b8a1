'use strict';

const fs = require('node:fs');
const os = require('node:os');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const cors = require('cors');
const session = require('express-session');
const helmet = require('helmet');
const morgan = require('morgan');

/** The middleware of most Express applications, each set up as in its README; all of them run without Express too. */
const middleware = () => [
  // The log goes to a place with the same cost for all: the speed of a pipe depends on its reader.
  morgan('combined', { stream: fs.createWriteStream(os.devNull) }),
  helmet(),
  cors(),
  compression(),
  cookieParser(),
  session({ secret: 'not a secret here', resave: false, saveUninitialized: false }),
];

const accountOf = (req) => ({ visitor: req.cookies.visitor ?? null, signedIn: req.session.user !== undefined });

const entries = Array.from({ length: 100 }, (_, id) => ({
  id,
  title: `An entry with the number ${id}`,
  done: id % 3 === 0,
}));
const entriesOf = (req) => ({ visitor: req.cookies.visitor ?? null, entries });

exports.stackApplication = (express) => {
  const app = express();
  for (const one of middleware()) app.use(one);
  app.get('/account', (req, res) => {
    res.json(accountOf(req));
  });
  app.get('/entries', (req, res) => {
    res.json(entriesOf(req));
  });
  return app;
};

/**
 * The same middleware one after another, without a framework.
 * @param answer called with request, response and the object to answer with; undefined if there is none
 */
exports.stackByHand = (answer) => {
  const all = middleware();
  const answers = { '/account': accountOf, '/entries': entriesOf };
  return (req, res) => {
    let place = 0;
    const next = (error) => {
      // The request is the lab's own: an error is a fault of the lab.
      if (error) throw error;
      if (place < all.length) return void all[place++](req, res, next);
      answer(req, res, req.method === 'GET' ? answers[req.url]?.(req) : undefined);
    };
    next();
  };
};
