'use strict';

const applications = require('./applications');
const listen = require('./listen');

listen(applications(require('express'))[process.env.SCENARIO]());
