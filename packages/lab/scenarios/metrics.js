'use strict';

const { peers } = require('../scenario-parts.js');

const SCENARIO = 'hello';
const served = (more) => ({ file: 'nonstop.js', env: { SCENARIO, DOOR: 'serve', ...more } });

/** The application in production, with the metrics of each request for Prometheus, and the same without. */
module.exports = {
  name: 'metrics',
  title: 'hello, with metrics',
  request: { method: 'GET', path: '/' },
  peers: {
    ...peers(['Express 5'], { SCENARIO }),
    'Nonstop, no metrics': served(),
    Nonstop: served({ METRICS: '1' }),
  },
};
