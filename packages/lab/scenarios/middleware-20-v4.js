'use strict';

const { of4 } = require('../scenario-parts.js');

module.exports = of4(require('./middleware-20.js'));
