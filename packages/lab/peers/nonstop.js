'use strict';

const applications = require('./applications');
const listen = require('./listen');

// NONSTOP is the path of another build of it: how two commits are compared.
listen(applications(require(process.env.NONSTOP ?? 'nonstop'))[process.env.SCENARIO]());
