'use strict';

const { peers } = require('../scenario-parts.js');

/** As varied, behind an await of one turn of the event loop: what an application does that asks a database. */
module.exports = {
  name: 'async',
  title: 'requests that differ, behind an await',
  request: {
    method: 'GET',
    path: '/items/1',
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/1.0',
      Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'Accept-Language': 'en-US,en;q=0.5',
      'Accept-Encoding': 'gzip, deflate, br',
      Cookie: 'sid=1; theme=dark',
      'X-Request-Id': 'id-1',
    },
  },
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
