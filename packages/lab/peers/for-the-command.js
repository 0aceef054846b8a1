'use strict';

const applications = require('./applications');

// An application for the command `nonstop`: exported, without a port of its own.
module.exports = applications(require('nonstop')).hello();
