module.exports = {
  wants: ['method-override', 'express'],
  about: 'by a field, the query and the body',
  start() {
    const express = require('express');
    const methodOverride = require('method-override');
    const app = express();
    app.use(methodOverride('X-HTTP-Method-Override'));
    app.use(methodOverride('_method'));
    app.use(express.urlencoded({ extended: false }));
    app.use(methodOverride((req, res) => req.body && typeof req.body === 'object' && req.body._method));
    for (const method of ['get', 'post', 'put', 'delete', 'patch'])
      app[method]('/', (req, res) => res.json([method, req.method, req.originalMethod]));
    return app;
  },
  requests: [
    'POST /\nX-HTTP-Method-Override: DELETE',
    'POST /?_method=PUT',
    'POST /\nContent-Type: application/x-www-form-urlencoded\n\n_method=patch',
    'GET /\nX-HTTP-Method-Override: PUT',
    'POST /?_method=NOPE',
    'POST /',
  ],
};
