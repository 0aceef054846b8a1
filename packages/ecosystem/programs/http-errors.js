module.exports = {
  wants: ['http-errors', 'express'],
  about: 'errors by status and name, with fields, with and without exposed messages',
  start() {
    const express = require('express');
    const createError = require('http-errors');
    const app = express();
    app.get('/:status', (req, res, next) =>
      next(createError(Number(req.params.status), 'a message', { headers: { 'X-Retry': '1' } })),
    );
    app.get('/named/:name', () => {
      throw new createError.TooManyRequests();
    });
    return app;
  },
  requests: ['GET /404', 'GET /503', 'GET /418', 'GET /named/x'],
};
