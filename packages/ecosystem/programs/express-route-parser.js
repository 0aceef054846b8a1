module.exports = {
  wants: ['express-route-parser', 'express@4'],
  about: 'the routes of nested routers with their parameters and metadata of middleware',
  start({ note }) {
    const express = require('express');
    const { parseExpressApp } = require('express-route-parser');
    const app = express();
    const inner = express.Router();
    inner.get('/:id', (req, res) => res.send(req.params.id));
    const outer = express.Router({ mergeParams: true });
    outer.use('/deep', inner);
    outer.put('/', (req, res) => res.end());
    app.use('/teams/:team', outer);
    app.get('/plain', (req, res) => res.json(parseExpressApp(app)));
    return app;
  },
  requests: ['GET /plain', 'GET /teams/a/deep/1'],
};
