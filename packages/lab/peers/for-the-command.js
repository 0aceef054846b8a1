'use strict';

const applications = require('./applications');

// An application as the command `nonstop` runs it: exported, and without a port of its own.
module.exports = applications(require('nonstop')).hello();
