'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/**
 * `express.static` over 200 files of 1 to 20 kB, requested in turn: no two requests want the same file at the same time. Together they are 2 MB, which
 * Nonstop keeps in memory between requests; the server by hand and Express read each file again.
 */
module.exports = {
  name: 'files-200',
  title: 'express.static, 200 files in turn',
  request: variedRequest('/1'),
  load: { varied: true, cycle: 200 },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
