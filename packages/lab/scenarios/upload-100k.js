'use strict';

const { peers } = require('../scenario-parts.js');

/** A body of 100 kB that the handler reads by itself: more than one read of the connection, and less than two. */
module.exports = {
  name: 'upload-100k',
  title: 'a body of 100 kB, read by hand',
  request: {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: 'x'.repeat(100_000),
  },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
