'use strict';

const Hapi = require('@hapi/hapi');
const { announceAt, ajax } = require('./frameworks');

const server = Hapi.server({ port: Number(process.env.PORT), host: '127.0.0.1' });

const routes = {
  hello: { path: '/', handler: () => 'Hello World!' },
  echo: { path: '/echo/{name}', handler: (request, h) => h.response(request.params.name).type('text/plain') },
  'query-api': { path: '/api', handler: ({ query: { name, lastname } }) => ({ name, lastname }) },
  getter: { path: '/', handler: (request) => ({ xhr: ajax(request.headers) }) },
};

server.route({ method: 'GET', ...routes[process.env.SCENARIO] });
server.start().then(() => announceAt(server.listener), announceAt.bind(undefined, undefined));
