module.exports = {
  wants: ['inversify-express-utils', 'inversify@6', 'reflect-metadata', 'express@4'],
  about: 'controllers from a container, parameters, results, a middleware, errors',
  start() {
    require('reflect-metadata');
    const { Container } = require('inversify');
    const utils = require('inversify-express-utils');
    class Foo {
      index() {
        return 'index';
      }
      one(id) {
        return { id };
      }
      created() {
        return this.ok ? this.ok('fine') : 'fine';
      }
      broken() {
        throw new Error('broken');
      }
    }
    const on = (name, decorator) =>
      decorator(Foo.prototype, name, Object.getOwnPropertyDescriptor(Foo.prototype, name));
    on('index', utils.httpGet('/'));
    utils.requestParam('id')(Foo.prototype, 'one', 0);
    on('one', utils.httpGet('/:id'));
    on(
      'created',
      utils.httpPost('/', (req, res, next) => (res.set('X-Middleware', '1'), next())),
    );
    on('broken', utils.httpDelete('/'));
    utils.controller('/foo')(Foo);
    const server = new utils.InversifyExpressServer(new Container());
    server.setErrorConfig((app) => app.use((error, req, res, next) => res.status(500).send(error.message)));
    return server.build();
  },
  requests: ['GET /foo', 'GET /foo/7', 'POST /foo', 'DELETE /foo', 'GET /nowhere'],
};
