'use strict';

const certificate = require('./certificate');
const { announceAt, ajax } = require('./frameworks');
const { fetched, listOf, orderOf } = require('./work');

const { SCENARIO, DOOR, ROUTES } = process.env;
const doors = {
  https: { https: certificate },
  http2: { http2: true },
  'http2-secure': { http2: true, https: { ...certificate, allowHTTP1: true } },
};
const app = require('fastify')(doors[DOOR] ?? {});

const item = ({ params: { id }, headers }) => ({
  id,
  agent: headers['user-agent'],
  name: `item ${id}`,
  tags: ['a', 'b'],
});

const routes = {
  hello: () => app.get('/', (request, reply) => reply.type('text/html').send('Hello World!')),
  echo: () => app.get('/echo/:name', (request, reply) => reply.type('text/plain').send(request.params.name)),
  'query-api': () => app.get('/api', async ({ query: { name, lastname } }) => ({ name, lastname })),
  varied: () =>
    app.get('/items/:id', (request, reply) => reply.header('Cache-Control', 'no-cache').send(item(request))),
  async: () =>
    app.get('/items/:id', async (request, reply) => {
      await new Promise((resolve) => setImmediate(resolve));
      reply.header('Cache-Control', 'no-cache');
      return item(request);
    }),
  'async-db'() {
    app.addHook('onRequest', async (request) => (request.user = await fetched('Ada')));
    app.addHook('onRequest', async (request) => (request.rights = await fetched(['read', 'write'])));
    app.setErrorHandler((error, request, reply) => reply.code(200).send({ error: error.message }));
    app.get('/orders/:id', async ({ user, rights, params: { id } }) => {
      await fetched();
      return { user, rights, order: orderOf(id) };
    });
  },
  json: () => app.get('/json', async () => ({ message: 'Hello, World!' })),
  list: () => app.get('/lists/:id', async ({ params: { id } }) => listOf(id)),
  getter: () => app.get('/', async (request) => ({ xhr: ajax(request.headers) })),
  'post-json': () =>
    app.post('/lists', async ({ body: { list, items } }) => ({ list, items: items.length, last: items.at(-1).id })),
  routes() {
    for (let place = 1; place < Number(ROUTES); place++) {
      app.get(`/route-${place}/:id`, (request, reply) =>
        reply.type('text/html').send(`route ${place}: ${request.params.id}`),
      );
    }
    app.get('/last/:id', (request, reply) => reply.type('text/html').send(`the last one: ${request.params.id}`));
  },
};

routes[SCENARIO]();
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }, (error) => announceAt(app.server, error));
