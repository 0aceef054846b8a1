'use strict';

const restify = require('../.peers/node_modules/restify');
const { announceAt, ajax } = require('./frameworks');

const server = restify.createServer();

const routes = {
  // Its formatters know JSON, text and octets: a page is sent unchanged.
  hello: () =>
    server.get('/', (req, res, next) => {
      res.sendRaw(200, 'Hello World!', { 'Content-Type': 'text/html' });
      next();
    }),
  echo: () =>
    server.get('/echo/:name', (req, res, next) => {
      res.contentType = 'text/plain';
      res.send(req.params.name);
      next();
    }),
  'query-api'() {
    server.use(restify.plugins.queryParser());
    server.get('/api', (req, res, next) => {
      res.send({ name: req.query.name, lastname: req.query.lastname });
      next();
    });
  },
  getter: () =>
    server.get('/', (req, res, next) => {
      res.send({ xhr: ajax(req.headers) });
      next();
    }),
};

routes[process.env.SCENARIO]();
server.listen(Number(process.env.PORT), '127.0.0.1', () => announceAt(server));
