'use strict';

const { answerTo } = require('./problem');
const runner = require('./runner');
const serve = require('./serve');
const start = require('./start');

start(async (records) => {
  const app = require('fastify')();

  app.get('/control', async () => ({ ok: true }));
  app.get('/runner', async (request, reply) => reply.type('text/html').send(runner));
  app.post('/:shape', async ({ params, body }, reply) => {
    reply.code(201);
    return records.create(params.shape, body);
  });
  app.get('/:shape/:id', async ({ params }) => records.read(params.shape, params.id));
  app.put('/:shape/:id', async ({ params, body }) => records.replace(params.shape, params.id, body));
  app.delete('/:shape/:id', async ({ params }, reply) => {
    await records.remove(params.shape, params.id);
    return reply.code(204).send();
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = answerTo(error);
    return reply.code(status).send(body);
  });

  serve(app.server);
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
});
