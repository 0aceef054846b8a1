'use strict';

const path = require('node:path');

// The application is not changed. NONSTOP is the path of another build, for comparisons of two commits.
const { NONSTOP } = process.env;
require(NONSTOP === undefined ? 'nonstop/register' : path.join(path.dirname(NONSTOP), 'register.js'));
void require('./application')();
