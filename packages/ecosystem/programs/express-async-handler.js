module.exports = {
  wants: ['express-async-handler', 'express'],
  about: 'a rejection is passed to next()',
  start() {
    const express = require('express');
    const asyncHandler = require('express-async-handler');
    const app = express();
    app.get(
      '/',
      asyncHandler(async (req, res) => void res.send(await Promise.resolve('hello'))),
    );
    app.get(
      '/no',
      asyncHandler(async () => Promise.reject(Object.assign(new Error('no'), { status: 409, expose: true }))),
    );
    return app;
  },
  requests: ['GET /', 'GET /no'],
};
