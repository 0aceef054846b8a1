module.exports = {
  wants: ['express-promise-router', 'express'],
  about: "handlers that resolve with 'next' and 'route', rejections, parameters",
  start() {
    const express = require('express');
    const PromiseRouter = require('express-promise-router').default;
    const app = express();
    const router = PromiseRouter();
    app.use(router);
    router.use('/skip', () => Promise.resolve('next'));
    router.get('/skip', (req, res) => void res.send('skipped'));
    router.get(
      '/route',
      () => Promise.resolve('route'),
      (req, res) => void res.send('not here'),
    );
    router.get('/route', (req, res) => Promise.resolve().then(() => void res.send('the next route')));
    router.param('id', (req, res, next, id) =>
      id === '0' ? Promise.reject(new Error('zero')) : Promise.resolve('next'),
    );
    router.get('/item/:id', (req, res) => void res.send(req.params.id));
    router.use('/no', () => Promise.reject(new Error('no')));
    router.use((error, req, res, next) => void res.status(500).send(error.message));
    return app;
  },
  requests: ['GET /skip', 'GET /route', 'GET /item/0', 'GET /item/1', 'GET /no', 'GET /nowhere'],
};
