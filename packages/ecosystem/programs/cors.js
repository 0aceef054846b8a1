// As the guide of cors shows it: for all routes, for one, and with options.
module.exports = {
  wants: ['cors', 'express'],
  about: 'simple and preflighted requests, an allowed and a refused origin',
  start() {
    const express = require('express');
    const cors = require('cors');
    const app = express();
    const listed = cors({
      origin: ['https://a.example', /\.b\.example$/],
      credentials: true,
      maxAge: 600,
      exposedHeaders: ['X-Total'],
    });
    app.get('/open', cors(), (req, res) => res.json({ open: true }));
    app.options('/listed', listed);
    app.put('/listed', listed, (req, res) => res.json({ changed: req.get('origin') }));
    app.use('/late', cors({ preflightContinue: true, optionsSuccessStatus: 200 }), (req, res) =>
      res.send('after cors'),
    );
    return app;
  },
  requests: [
    'GET /open\nOrigin: https://x.example',
    'OPTIONS /listed\nOrigin: https://a.example\nAccess-Control-Request-Method: PUT\nAccess-Control-Request-Headers: x-one',
    'OPTIONS /listed\nOrigin: https://c.example\nAccess-Control-Request-Method: PUT',
    'PUT /listed\nOrigin: https://www.b.example',
    'OPTIONS /late\nOrigin: https://x.example\nAccess-Control-Request-Method: GET',
    'GET /nowhere\nOrigin: https://x.example',
  ],
};
