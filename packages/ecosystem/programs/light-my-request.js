module.exports = {
  wants: ['light-my-request', 'express'],
  about: 'requests without a socket, after one over a socket; afterwards Express itself does not answer over a socket',
  start() {
    const express = require('express');
    const app = express();
    app.get('/', (req, res) => res.set('X-One', req.get('x-one') ?? 'none').send('hello'));
    app.post('/json', express.json(), (req, res) => res.json(req.body));
    module.exports.app = app;
    return app;
  },
  async play({ note, send }) {
    const inject = require('light-my-request');
    const told = ({ statusCode, headers: { date, ...headers }, payload }) => ({ statusCode, headers, payload });
    await send('GET /');
    await send('GET /\nX-One: 2');
    note('get', told(await inject(module.exports.app, { url: '/', headers: { 'x-one': '1' } })));
    note('post', told(await inject(module.exports.app, { method: 'POST', url: '/json', payload: { a: 1 } })));
    note('404', told(await inject(module.exports.app, { url: '/nowhere' })));
  },
};
