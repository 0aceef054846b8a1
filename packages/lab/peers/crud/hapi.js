'use strict';

const Hapi = require('@hapi/hapi');
const { answerTo } = require('./problem');
const runner = require('./runner');
const serve = require('./serve');
const start = require('./start');

start(async (records) => {
  const server = Hapi.server({ port: Number(process.env.PORT), host: '127.0.0.1' });

  server.route([
    { method: 'GET', path: '/control', handler: () => ({ ok: true }) },
    { method: 'GET', path: '/runner', handler: (request, h) => h.response(runner).type('text/html') },
    {
      method: 'POST',
      path: '/{shape}',
      handler: async ({ params, payload }, h) => h.response(await records.create(params.shape, payload)).code(201),
    },
    {
      method: 'GET',
      path: '/{shape}/{id}',
      handler: ({ params }) => records.read(params.shape, params.id),
    },
    {
      method: 'PUT',
      path: '/{shape}/{id}',
      handler: ({ params, payload }) => records.replace(params.shape, params.id, payload),
    },
    {
      method: 'DELETE',
      path: '/{shape}/{id}',
      handler: async ({ params }, h) => {
        await records.remove(params.shape, params.id);
        return h.response().code(204);
      },
    },
  ]);

  server.ext('onPreResponse', ({ response }, h) => {
    if (!response.isBoom) return h.continue;
    // hapi turns other errors into status 500; the error's own status takes precedence.
    const { status = response.output.statusCode } = response;
    const answer = answerTo(Object.assign(response, { status }));
    return h.response(answer.body).code(answer.status);
  });

  serve(server.listener);
  await server.start();
});
