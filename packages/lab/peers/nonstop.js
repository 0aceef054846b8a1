'use strict';

const applications = require('./applications');
const listen = require('./listen');

// NONSTOP is the path of another build, for comparisons of two commits.
listen(applications(require(process.env.NONSTOP ?? 'nonstop'))[process.env.SCENARIO]());
