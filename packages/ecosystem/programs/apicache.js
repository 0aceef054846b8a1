module.exports = {
  wants: ['apicache', 'express'],
  about: 'an answer from the cache, conditional requests, clearing a group',
  start() {
    const express = require('express');
    const apicache = require('apicache');
    const app = express();
    let calls = 0;
    app.use('/cached', apicache.middleware('5 minutes'));
    app.get('/cached/:what', (req, res) => {
      req.apicacheGroup = req.params.what;
      res.json({ calls: ++calls });
    });
    app.get('/clear/:what', (req, res) => res.json(apicache.clear(req.params.what)));
    return app;
  },
  requests: [
    'GET /cached/a',
    'GET /cached/a',
    'GET /cached/b',
    'GET /clear/a',
    'GET /cached/a',
    'GET /cached/b\nx-apicache-bypass: 1',
  ],
};
