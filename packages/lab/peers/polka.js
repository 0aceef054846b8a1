'use strict';

const polka = require('polka');
const { announceAt, ajax } = require('./frameworks');

const app = polka();

/** The length keeps the connections of HTTP/1.0 clients open: see node-http-plain.js. */
function send(res, type, body) {
  res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), 'Content-Type': type });
  res.end(body);
}

const json = (res, value) => send(res, 'application/json', JSON.stringify(value));

const routes = {
  hello: () => app.get('/', (req, res) => send(res, 'text/html', 'Hello World!')),
  echo: () => app.get('/echo/:name', (req, res) => send(res, 'text/plain', req.params.name)),
  'query-api': () => app.get('/api', (req, res) => json(res, { name: req.query.name, lastname: req.query.lastname })),
  getter: () => app.get('/', (req, res) => json(res, { xhr: ajax(req.headers) })),
};

routes[process.env.SCENARIO]();
app.listen(Number(process.env.PORT), '127.0.0.1', (error) => announceAt(app.server, error));
