'use strict';

const fs = require('node:fs');
const os = require('node:os');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const cors = require('cors');
const session = require('express-session');
const helmet = require('helmet');
const morgan = require('morgan');

/** The middleware of most Express applications, each set up as in its README. */
module.exports = function stack(express) {
  const app = express();
  // The log goes to a place with the same cost for all: the speed of a pipe depends on its reader.
  app.use(morgan('combined', { stream: fs.createWriteStream(os.devNull) }));
  app.use(helmet());
  app.use(cors());
  app.use(compression());
  app.use(cookieParser());
  app.use(session({ secret: 'not a secret here', resave: false, saveUninitialized: false }));
  app.get('/account', (req, res) => {
    res.json({ visitor: req.cookies.visitor ?? null, signedIn: req.session.user !== undefined });
  });
  const entries = Array.from({ length: 100 }, (_, id) => ({
    id,
    title: `An entry with the number ${id}`,
    done: id % 3 === 0,
  }));
  app.get('/entries', (req, res) => {
    res.json({ visitor: req.cookies.visitor ?? null, entries });
  });
  return app;
};
