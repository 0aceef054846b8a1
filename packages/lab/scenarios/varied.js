'use strict';

const { peers } = require('../scenario-parts.js');

/** No two requests are alike: user agent, cookie, id and path differ, and so does the JSON that is answered. */
module.exports = {
  name: 'varied',
  title: 'requests that differ',
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
