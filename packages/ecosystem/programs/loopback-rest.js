module.exports = {
  wants: ['@loopback/rest', '@loopback/core'],
  about: 'a REST server: a controller with parameters and bodies, its description, errors, cors',
  folder: 'loopback',
  heavy: true,
  seconds: 120,
  first: 'GET /the-first',
  masks: [[/127\.0\.0\.1:\d+/g, 'HOST']],
  async start() {
    const { RestApplication, get, post, param, requestBody, HttpErrors } = require('@loopback/rest');
    class Hello {
      hello(name) {
        return `hello ${name}`;
      }
      make(body) {
        return { made: body };
      }
      no() {
        throw new HttpErrors.NotFound('no such thing');
      }
    }
    const on = (name, decorator, parameter) => {
      Reflect.defineMetadata('design:paramtypes', parameter ? [Object] : [], Hello.prototype, name);
      parameter?.(Hello.prototype, name, 0);
      decorator(Hello.prototype, name, Object.getOwnPropertyDescriptor(Hello.prototype, name));
    };
    on('hello', get('/hello/{name}'), param.path.string('name'));
    on(
      'make',
      post('/things'),
      requestBody({
        content: {
          'application/json': { schema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } } },
        },
      }),
    );
    on('no', get('/no'));
    const app = new RestApplication({ rest: { port: 0, host: '127.0.0.1', gracePeriodForClose: 0 } });
    app.controller(Hello);
    app.expressMiddleware('middleware.x', (req, res, next) => (res.set('X-Middleware', '1'), next()));
    await app.start();
    return { port: app.restServer.httpServer.port };
  },
  requests: [
    'GET /hello/ann',
    'POST /things\nContent-Type: application/json\n\n{"n":1}',
    'POST /things\nContent-Type: application/json\n\n{"n":"x"}',
    'GET /no',
    'GET /nowhere',
    'GET /openapi.json',
    'OPTIONS /things\nOrigin: https://a.example\nAccess-Control-Request-Method: POST',
  ],
};
