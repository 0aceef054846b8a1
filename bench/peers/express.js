'use strict';

const announce = require('./announce');
const applications = require('./applications');

const { SCENARIO, PORT } = process.env;

announce(applications(require('express'))[SCENARIO]().listen(Number(PORT), '127.0.0.1'));
