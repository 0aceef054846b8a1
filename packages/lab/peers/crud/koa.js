'use strict';

const { bodyParser } = require('@koa/bodyparser');
const Router = require('@koa/router');
const Koa = require('koa');
const { answerTo } = require('./problem');
const runner = require('./runner');
const serve = require('./serve');
const start = require('./start');

start((records) => {
  const app = new Koa();
  const router = new Router();

  router.get('/control', (ctx) => {
    ctx.body = { ok: true };
  });
  router.get('/runner', (ctx) => {
    ctx.type = 'html';
    ctx.body = runner;
  });
  router.post('/:shape', async (ctx) => {
    ctx.body = await records.create(ctx.params.shape, ctx.request.body);
    ctx.status = 201;
  });
  router.get('/:shape/:id', async (ctx) => {
    ctx.body = await records.read(ctx.params.shape, ctx.params.id);
  });
  router.put('/:shape/:id', async (ctx) => {
    ctx.body = await records.replace(ctx.params.shape, ctx.params.id, ctx.request.body);
  });
  router.delete('/:shape/:id', async (ctx) => {
    await records.remove(ctx.params.shape, ctx.params.id);
    ctx.status = 204;
  });

  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { status, body } = answerTo(error);
      ctx.status = status;
      ctx.body = body;
    }
  });
  app.use(bodyParser({ enableTypes: ['json'], jsonLimit: '1mb' }));
  app.use(router.routes());

  serve(app.listen(Number(process.env.PORT), '127.0.0.1'));
});
