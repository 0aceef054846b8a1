'use strict';

const applications = require('./applications');
const listen = require('./listen');

listen(applications(require('nonstop/v4'))[process.env.SCENARIO]());
