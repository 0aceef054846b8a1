module.exports = {
  wants: ['on-finished', 'express'],
  about: 'listeners of the response and of the request: after an answer, an error, an aborted connection',
  start({ note }) {
    const express = require('express');
    const onFinished = require('on-finished');
    const app = express();
    app.use((req, res, next) => {
      onFinished(res, (error, response) =>
        note('response', [req.url, error?.code ?? null, response.statusCode, onFinished.isFinished(res)]),
      );
      onFinished(req, (error) => note('request', [req.url, error?.code ?? null]));
      next();
    });
    app.get('/', (req, res) => res.send('hello'));
    app.get('/stream', (req, res) => res.write('a', () => res.end('b')));
    app.post('/', express.text(), (req, res) => res.send(req.body));
    app.get('/abort', (req, res) => req.socket.destroy());
    return app;
  },
  requests: ['GET /', 'GET /stream', 'POST /\nContent-Type: text/plain\n\nbody', 'GET /nowhere'],
  async play({ another, note }) {
    note(
      'aborted',
      await another()
        .send('GET /abort')
        .catch(() => 'no answer'),
    );
  },
};
