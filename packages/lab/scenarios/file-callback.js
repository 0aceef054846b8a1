'use strict';

const { peers } = require('../scenario-parts.js');

/** The style sheet of `static` by `res.sendFile()` with a callback, as Express's documentation shows it. */
module.exports = {
  name: 'file-callback',
  title: 'res.sendFile() with a callback, 10 KB',
  request: { method: 'GET', path: '/style.css' },
  peers: { ...peers(['node:http'], { SCENARIO: 'static' }), ...peers(['Express 5', 'Nonstop']) },
};
