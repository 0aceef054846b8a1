'use strict';

const path = require('node:path');
const express = require('express');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const helmet = require('helmet');
const morgan = require('morgan');

const { errorPage, notFound } = require('./lib/errors');
const { EventHub } = require('./lib/event-hub');
const { flash } = require('./lib/flash');
const { randomId } = require('./lib/ids');
const { installLogin } = require('./lib/login');
const { pageLocals, strangerLocals } = require('./lib/page-locals');
const { sameOrigin } = require('./lib/same-origin');
const { loadSecret } = require('./lib/secret');
const { seedIssues } = require('./lib/seed');
const { openStore } = require('./lib/store');
const { uploads } = require('./lib/uploads');
const { account } = require('./routes/account');
const { api } = require('./routes/api');
const { diagnostics } = require('./routes/diagnostics');
const { events } = require('./routes/events');
const { csvExports } = require('./routes/exports');
const { home } = require('./routes/home');
const { issues } = require('./routes/issues');

/**
 * Builds the application. Nothing here reads the environment or the clock by itself, so that a test
 * (or a second instance in the same process) gets exactly what it asks for.
 *
 * @param {object} options
 * @param {string} options.dataDir where the database, the attachments and the cookie secret live; created when absent
 * @param {number} [options.seed] how many sample issues an empty database starts with
 * @param {() => Date} [options.clock]
 * @param {(kind: string) => string} [options.ids] makes session ids, API tokens and file names: unguessable by default
 * @param {{ write(line: string): void } | false} [options.log] the access log; `false` for none
 * @param {string} [options.logFormat] a morgan format
 * @param {string} [options.secret] signs the session cookie; kept in `dataDir` when not given
 * @param {boolean | number | string} [options.trustProxy] Express' `trust proxy`
 * @returns {Promise<{ app: import('express').Express, drain(): void, close(): Promise<void> }>} `drain` ends the event
 *   streams, which would otherwise keep a server from closing; `close` closes the database and comes last
 */
async function createApp(options) {
  const {
    dataDir,
    seed = 0,
    clock = () => new Date(),
    ids = randomId,
    log = process.stdout,
    logFormat = 'combined',
  } = options;

  const store = await openStore(dataDir, clock);
  await seedIssues(store, seed, clock());
  const secret = options.secret ?? (await loadSecret(dataDir));
  const hub = new EventHub();
  const tools = { express, store, hub, ids, upload: uploads(path.join(dataDir, 'attachments'), { ids, clock }) };

  const app = express();
  app.set('views', path.join(__dirname, 'views'));
  app.set('view engine', 'ejs');
  app.set('trust proxy', options.trustProxy ?? false);
  Object.assign(app.locals, { site: 'Tracker', ...strangerLocals });

  if (log !== false) app.use(morgan(logFormat, { stream: log }));
  // Our own pages may know where the visitor came from (the theme form goes back there); other sites may not.
  app.use(helmet({ contentSecurityPolicy: { directives: contentPolicy }, referrerPolicy: { policy: 'same-origin' } }));
  app.use(compression());
  app.use('/static', express.static(path.join(__dirname, 'public'), { index: false, maxAge: '1h' }));
  app.use('/api', api(tools));
  app.use('/events', events(tools));

  app.use(cookieParser());
  const passport = installLogin(app, { store, secret, clock, ids });
  app.use(sameOrigin);
  app.use(flash);
  app.use(pageLocals);
  app.use(express.urlencoded({ extended: false, limit: '64kb' }));

  app.use('/', home(tools));
  app.use('/', csvExports(tools));
  app.use('/issues', issues(tools));
  app.use('/account', account({ ...tools, passport }));
  app.use('/diagnostics', diagnostics(tools));
  app.use(notFound);
  app.use(errorPage);

  return { app, drain: () => hub.close(), close: () => store.close() };
}

/** Everything comes from this server, and nothing is inline: injected markup can neither run nor call out. */
const contentPolicy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  fontSrc: ["'self'"],
  // Browsers would fetch our own assets over https, which a server on the local network does not speak.
  upgradeInsecureRequests: null,
};

module.exports = { createApp };
