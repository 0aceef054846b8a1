'use strict';

/** The list page of the example application: fifty issues from a database through sessions, helmet, compression and ejs. */
module.exports = {
  name: 'tracker',
  title: "the example application's list page",
  request: { method: 'GET', path: '/issues', headers: { Accept: 'text/html' } },
  peers: {
    'Express 5': { file: 'tracker.js' },
    Nonstop: { file: 'tracker.js', nodeOptions: ['--import', 'nonstop/register'] },
  },
};
