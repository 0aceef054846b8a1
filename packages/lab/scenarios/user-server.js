'use strict';

const { peers } = require('../scenario-parts.js');

const env = { DOOR: 'createServer', SCENARIO: 'hello' };

/** The application on a user's server, `http.createServer(app)`, beside its own `listen`. */
module.exports = {
  name: 'user-server',
  title: 'hello, own createServer',
  request: { method: 'GET', path: '/' },
  peers: {
    ...peers(['node:http', 'Express 5', 'Nonstop'], env),
    'Nonstop, app.listen()': { file: 'nonstop.js', env: { SCENARIO: 'hello' } },
  },
};
