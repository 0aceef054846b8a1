'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** A page with a table of 100 rows from a template that is compiled once. The handwritten server uses ejs too. */
module.exports = {
  name: 'ejs-table',
  title: 'ejs, a table of 100 rows',
  request: variedRequest('/tables/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
