module.exports = {
  wants: ['express-winston', 'winston', 'express'],
  about: 'winston lines of requests and errors, with bodies',
  start({ note }) {
    const express = require('express');
    const { Writable } = require('node:stream');
    const winston = require('winston');
    const expressWinston = require('express-winston');
    const stream = new Writable({
      write(chunk, encoding, done) {
        const { message, level, meta } = JSON.parse(chunk);
        note('line', {
          message: message.replaceAll(/\d+ms/g, 'N ms'),
          level,
          req: meta.req,
          status: meta.res?.statusCode,
          body: meta.res?.body,
        });
        done();
      },
    });
    const transports = [new winston.transports.Stream({ stream })];
    const app = express();
    app.use(express.json());
    expressWinston.responseWhitelist.push('body');
    app.use(
      expressWinston.logger({
        transports,
        expressFormat: true,
        colorize: false,
        bodyBlacklist: ['password'],
        requestWhitelist: ['url', 'method', 'body'],
      }),
    );
    app.post('/', (req, res) => res.json({ got: req.body.name }));
    app.get('/error', () => {
      throw new Error('broken');
    });
    app.use(expressWinston.errorLogger({ transports, requestWhitelist: ['url'] }));
    return app;
  },
  requests: ['POST /\nContent-Type: application/json\n\n{"name":"ann","password":"x"}', 'GET /error', 'GET /nowhere'],
};
