'use strict';

/** How the servers that most scenarios compare are started; Fastify sends fields of its own. */
const servers = {
  'node:http': { file: 'node-http.js' },
  'Express 5': { file: 'express.js' },
  Fastify: { file: 'fastify.js', ownFields: true },
  Nonstop: { file: 'nonstop.js' },
};

/** Who takes part in a scenario, in the order of its table. Without `env` each serves the application of the scenario's name. */
exports.peers = (names, env) =>
  Object.fromEntries(names.map((name) => [name, env === undefined ? servers[name] : { ...servers[name], env }]));

/** A 200 with the fields of Express's defaults, on a connection that stays. */
exports.asExpressAnswers = ({ type, etag, body }) => ({
  status: 200,
  reason: 'OK',
  fields: [
    ['X-Powered-By', 'Express'],
    ['Content-Type', `${type}; charset=utf-8`],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['ETag', etag],
    ['Date', null],
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
  ],
  body,
});

/** A scenario once more with Express 4 and what stands for it; the contestant that has budgets is called Nonstop in each. */
exports.of4 = (scenario, more = {}) => {
  const env = scenario.peers.Nonstop.env ?? { SCENARIO: scenario.name };
  const peer = (file, own = {}) => ({ file, env, ...own });
  return {
    ...scenario,
    name: `${scenario.name}-v4`,
    title: `${scenario.title}, Express 4`,
    peers: {
      'Express 4': peer('express4.js'),
      'Nonstop for 5': peer('nonstop.js'),
      Nonstop: peer('nonstop-v4.js'),
      ...more,
    },
  };
};
