'use strict';

const applications = require('./applications');
const listen = require('./listen');

listen(applications(require('express4'))[process.env.SCENARIO]());
