'use strict';

const polka = require('polka');
const { announceAt, ajax } = require('./frameworks');

const app = polka();

function json(res, value) {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify(value));
}

const routes = {
  hello: () =>
    app.get('/', (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html' });
      res.end('Hello World!');
    }),
  echo: () =>
    app.get('/echo/:name', (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain' });
      res.end(req.params.name);
    }),
  'query-api': () => app.get('/api', (req, res) => json(res, { name: req.query.name, lastname: req.query.lastname })),
  getter: () => app.get('/', (req, res) => json(res, { xhr: ajax(req.headers) })),
};

routes[process.env.SCENARIO]();
app.listen(Number(process.env.PORT), '127.0.0.1', (error) => announceAt(app.server, error));
