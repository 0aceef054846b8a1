'use strict';

const { sessionCookie } = require('../peers/session.js');
const { peers } = require('../scenario-parts.js');

/** A session of express-session, stored in Valkey or Redis by connect-redis, read for each request. */
module.exports = {
  name: 'session-valkey',
  title: 'a session in Valkey or Redis',
  needs: ['valkey-server', 'redis-server'],
  request: { method: 'GET', path: '/', headers: { Cookie: sessionCookie } },
  peers: peers(['Express 5', 'Nonstop']),
};
