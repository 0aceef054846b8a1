'use strict';

const api = require('./api');
const start = require('./start');

start(api(require('nonstop')));
