'use strict';

/** A style sheet of 10,000 bytes from the disk, beside a server of `stat` and `readFile`. */
module.exports = {
  name: 'static',
  title: 'express.static, 10 KB',
  request: { method: 'GET', path: '/style.css' },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Nonstop: { file: 'nonstop.js' },
  },
};
