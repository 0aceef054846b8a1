'use strict';

/** A page of ten users from an ejs template, which is cached, as it is in production. */
module.exports = {
  name: 'view',
  title: 'ejs view',
  request: { method: 'GET', path: '/' },
  peers: {
    'Express 5': { file: 'express.js' },
    Nonstop: { file: 'nonstop.js' },
  },
};
