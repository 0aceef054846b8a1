'use strict';

const { serve } = require('@hono/node-server');
const { Hono } = require('hono');
const { announceAt } = require('./frameworks');

const app = new Hono();

const routes = {
  hello: () => app.get('/', (c) => c.html('Hello World!')),
  echo: () => app.get('/echo/:name', (c) => c.text(c.req.param('name'))),
  'query-api': () => app.get('/api', (c) => c.json({ name: c.req.query('name'), lastname: c.req.query('lastname') })),
  getter: () =>
    app.get('/', (c) => c.json({ xhr: (c.req.header('X-Requested-With') ?? '').toLowerCase() === 'xmlhttprequest' })),
};

routes[process.env.SCENARIO]();
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () =>
  announceAt(server),
);
