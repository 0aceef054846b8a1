'use strict';

const { peers } = require('../scenario-parts.js');

const env = { SCENARIO: 'routes', ROUTES: '1000' };

/** A thousand routes, each with a parameter; the last one is requested. */
module.exports = {
  name: 'routes-1000',
  title: 'the last of 1,000 routes',
  request: { method: 'GET', path: '/last/7' },
  peers: {
    ...peers(['Express 5', 'Fastify', 'Nonstop'], env),
    'Nonstop, one route': { file: 'nonstop.js', env: { SCENARIO: 'routes', ROUTES: '1' } },
  },
};
