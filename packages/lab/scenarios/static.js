'use strict';

const { peers } = require('../scenario-parts.js');

/** A style sheet of 10,000 bytes from the disk, beside a handwritten server with `stat` and `readFile`. */
module.exports = {
  name: 'static',
  title: 'express.static, 10 KB',
  request: { method: 'GET', path: '/style.css' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
