module.exports = {
  wants: ['express-pino-logger', 'express'],
  about: 'its log lines',
  start({ note }) {
    const express = require('express');
    const expressPino = require('express-pino-logger');
    const app = express();
    const write = (line) => {
      const { level, msg, req, res } = JSON.parse(line);
      note('line', { level, msg, url: req?.url, status: res?.statusCode });
    };
    app.use(expressPino({}, { write }));
    app.get('/', (req, res) => {
      req.log.info('something');
      res.send('hello');
    });
    return app;
  },
  requests: ['GET /', 'GET /nowhere'],
};
