module.exports = {
  wants: ['express-async-errors', 'express@4'],
  about: 'rejections of handlers, of routers and of parameters reach the error handler of Express 4',
  start() {
    const express = require('express');
    require('express-async-errors');
    const app = express();
    const router = express.Router();
    router.param('id', async (req, res, next, id) => {
      if (id === '0') throw new Error('no such id');
      next();
    });
    router.get('/:id', async (req, res) => {
      if (req.params.id === '1') throw new Error('not this one');
      res.send(req.params.id);
    });
    app.use('/items', router);
    app.get('/user', async () => {
      throw new Error('no user');
    });
    app.use((error, req, res, next) => res.status(403).json({ message: error.message }));
    return app;
  },
  requests: ['GET /user', 'GET /items/0', 'GET /items/1', 'GET /items/2', 'GET /nowhere'],
};
