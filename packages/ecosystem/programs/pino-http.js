module.exports = {
  wants: ['pino-http', 'pino', 'express'],
  about: 'a line for each answer with request and response, levels, an error, an aborted request',
  start({ note }) {
    const express = require('express');
    const pino = require('pino');
    const { pinoHttp } = require('pino-http');
    const stream = {
      write(line) {
        const { pid, hostname, time, responseTime, ...rest } = JSON.parse(line);
        if (rest.req) delete rest.req.remotePort;
        if (rest.err) delete rest.err.stack;
        if (rest.res) rest.res.headers = Object.keys(rest.res.headers ?? {});
        note('line', rest);
      },
    };
    const app = express();
    app.use(
      pinoHttp({
        logger: pino({}, stream),
        customLogLevel: (req, res, error) => (error || res.statusCode >= 500 ? 'error' : 'info'),
      }),
    );
    app.get('/', (req, res) => {
      req.log.info('something else');
      res.send('hello');
    });
    app.get('/stream', (req, res) => res.write('a', () => res.end('b')));
    app.get('/error', (req, res) => {
      res.err = new Error('broken');
      res.status(500).end();
    });
    return app;
  },
  requests: ['GET /', 'GET /stream?a=1', 'GET /error', 'GET /nowhere'],
};
