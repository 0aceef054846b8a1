module.exports = {
  wants: ['morgan', 'express'],
  about: 'four formats, custom tokens, immediate and skipped lines',
  start({ note }) {
    const express = require('express');
    const morgan = require('morgan');
    const app = express();
    const stream = { write: (line) => note('line', line.replaceAll(/\d+\.\d{3}/g, 'N.NNN')) };
    morgan.token('id', (req) => req.get('x-id'));
    for (const format of ['combined', 'common', 'short', 'tiny']) app.use(morgan(format, { stream }));
    app.use(
      morgan(':id :method :url :status :res[content-length] :total-time[3] :remote-addr :http-version', { stream }),
    );
    app.use(morgan('tiny', { stream, immediate: true }));
    app.use(morgan('now :status', { stream, skip: (req, res) => res.statusCode < 400 }));
    app.get('/', (req, res) => res.send('hello'));
    app.get('/slow', (req, res) => setTimeout(() => res.json({ slow: true }), 20));
    app.get('/stream', (req, res) => res.write('a', () => res.end('b')));
    return app;
  },
  requests: [
    'GET /\nX-Id: 7\nUser-Agent: a browser\nReferer: http://from.example/',
    'GET /slow',
    'GET /stream',
    'GET /nowhere\nAuthorization: Basic dXNlcjpwYXNz',
  ],
};
