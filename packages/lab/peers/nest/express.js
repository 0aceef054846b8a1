'use strict';

void require('./application')();
