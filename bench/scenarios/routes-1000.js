'use strict';

const env = { SCENARIO: 'routes', ROUTES: '1000' };

/** A thousand routes, each with a parameter; the last one is asked for. */
module.exports = {
  name: 'routes-1000',
  title: 'the last of 1,000 routes',
  request: { method: 'GET', path: '/last/7' },
  peers: {
    'Express 5': { file: 'express.js', env },
    Fastify: { file: 'fastify.js', env, ownFields: true },
    Nonstop: { file: 'nonstop.js', env },
    'Nonstop, one route': { file: 'nonstop.js', env: { SCENARIO: 'routes', ROUTES: '1' } },
  },
};
