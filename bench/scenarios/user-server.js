'use strict';

const env = { DOOR: 'createServer', SCENARIO: 'hello' };

/** The application on a server that the user made, `http.createServer(app)`, beside its own `listen`. */
module.exports = {
  name: 'user-server',
  title: 'hello, own createServer',
  request: { method: 'GET', path: '/' },
  peers: {
    'node:http': { file: 'node-http.js', env },
    'Express 5': { file: 'express.js', env },
    Nonstop: { file: 'nonstop.js', env },
    'Nonstop, app.listen()': { file: 'nonstop.js', env: { SCENARIO: 'hello' } },
  },
};
