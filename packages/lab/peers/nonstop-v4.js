'use strict';

const path = require('node:path');
const applications = require('./applications');
const listen = require('./listen');

// NONSTOP is the path of another build, for comparisons of two commits.
const { NONSTOP, SCENARIO } = process.env;
const v4 = NONSTOP === undefined ? 'nonstop/v4' : path.join(path.dirname(NONSTOP), 'v4.js');
listen(applications(require(v4))[SCENARIO]());
