'use strict';

/** How the servers that most scenarios compare are started; Fastify sends fields of its own. */
const servers = {
  'node:http': { file: 'node-http.js' },
  'node:http2': { file: 'node-http2.js' },
  'Express 5': { file: 'express.js' },
  Fastify: { file: 'fastify.js', ownFields: true },
  Nonstop: { file: 'nonstop.js' },
};

/** Who takes part in a scenario, in the order of its table. Without `env` each serves the application of the scenario's name. */
exports.peers = (names, env) =>
  Object.fromEntries(names.map((name) => [name, env === undefined ? servers[name] : { ...servers[name], env }]));

/** A request of which the load makes many that differ: `load: { varied: true }`. @param path its last segment is a number */
exports.variedRequest = (path) => ({
  method: 'GET',
  path,
  headers: {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/1.0',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en-US,en;q=0.5',
    'Accept-Encoding': 'gzip, deflate, br',
    Cookie: 'sid=1; theme=dark',
    'X-Request-Id': 'id-1',
  },
});

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

/** A scenario once more over HTTP/2 in clear text: four connections with 100 streams at once. */
exports.overHttp2 = (name, scenario, contestants = ['node:http2', 'Fastify', 'Nonstop']) => ({
  ...scenario,
  name,
  title: `${scenario.title}, HTTP/2`,
  load: { streams: 100, connections: 4 },
  generator: 'h2load',
  needs: ['h2load'],
  peers: exports.peers(contestants, { DOOR: 'http2', SCENARIO: scenario.name }),
});
