'use strict';

const Router = require('@koa/router');
const Koa = require('koa');
const announce = require('./announce');
const { ajax } = require('./frameworks');

const app = new Koa();
const router = new Router();

const routes = {
  hello: () =>
    router.get('/', (ctx) => {
      ctx.type = 'html';
      ctx.body = 'Hello World!';
    }),
  echo: () =>
    router.get('/echo/:name', (ctx) => {
      ctx.type = 'text/plain';
      ctx.body = ctx.params.name;
    }),
  'query-api': () =>
    router.get('/api', (ctx) => {
      const { name, lastname } = ctx.query;
      ctx.body = { name, lastname };
    }),
  getter: () =>
    router.get('/', (ctx) => {
      ctx.body = { xhr: ajax(ctx.headers) };
    }),
};

routes[process.env.SCENARIO]();
app.use(router.routes());
announce(app.listen(Number(process.env.PORT), '127.0.0.1'));
