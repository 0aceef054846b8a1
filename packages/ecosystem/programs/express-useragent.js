module.exports = {
  wants: ['express-useragent', 'express'],
  about: 'a browser, a phone, a bot, no user agent',
  start() {
    const express = require('express');
    const useragent = require('express-useragent');
    const app = express();
    app.use(useragent.express());
    app.get('/', (req, res) => res.json(req.useragent));
    return app;
  },
  requests: [
    'GET /\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    'GET /\nUser-Agent: Googlebot/2.1',
    'GET /',
  ],
};
