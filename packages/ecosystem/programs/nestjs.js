module.exports = {
  wants: ['@nestjs/platform-express', '@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'],
  about: 'controllers, pipes, guards, interceptors, filters, versions, cors, streams, events, a middleware, shutdown',
  folder: 'nest',
  chunks: false,
  async start({ note }) {
    require('reflect-metadata');
    const common = require('@nestjs/common');
    const { NestFactory } = require('@nestjs/core');
    const { map, of } = require('rxjs');
    class Cats {
      all(query) {
        return { cats: [], query };
      }
      one(id) {
        if (id === 0) throw new common.NotFoundException('no such cat');
        return { id };
      }
      make(body) {
        return body;
      }
      events() {
        return of({ data: { n: 1 }, type: 'cat', id: '1' }, { data: 'two' });
      }
      file() {
        return new common.StreamableFile(require('node:stream').Readable.from(['meow']), {
          type: 'text/plain',
          disposition: 'attachment; filename="cat.txt"',
        });
      }
      async late() {
        return new Promise((resolve) => setTimeout(resolve, 10, 'late'));
      }
      go() {}
      broken() {
        throw new Error('broken');
      }
      shut() {
        return 'in';
      }
    }
    const of_ = (name, types, parameters, ...decorators) => {
      Reflect.defineMetadata('design:paramtypes', types, Cats.prototype, name);
      for (const [place, decorate] of parameters.entries()) decorate(Cats.prototype, name, place);
      for (const decorate of decorators)
        decorate(Cats.prototype, name, Object.getOwnPropertyDescriptor(Cats.prototype, name));
    };
    class Guard {
      canActivate(context) {
        return context.switchToHttp().getRequest().headers['x-key'] === '1';
      }
    }
    class Wrap {
      intercept(context, next) {
        return next.handle().pipe(map((data) => ({ wrapped: data })));
      }
    }
    of_('all', [Object], [common.Query()], common.Get(), common.Header('X-Cats', '0'));
    of_('one', [Number], [common.Param('id', common.ParseIntPipe)], common.Get(':id'));
    of_('make', [Object], [common.Body()], common.Post(), common.HttpCode(202), common.UseInterceptors(Wrap));
    of_('events', [], [], common.Sse('feed/events'));
    of_('file', [], [], common.Get('feed/file'));
    of_('late', [], [], common.Get('feed/late'));
    of_('go', [], [], common.Get('feed/go'), common.Redirect('https://a.example', 301));
    of_('broken', [], [], common.Get('feed/broken'));
    of_('shut', [], [], common.Get('feed/shut'), common.UseGuards(Guard));
    common.Controller('cats')(Cats);
    class AppModule {
      configure(consumer) {
        consumer.apply((req, res, next) => (res.set('X-Middleware', req.baseUrl), next())).forRoutes(Cats);
      }
      onApplicationShutdown(signal) {
        note('shut down', signal ?? null);
      }
    }
    common.Module({ controllers: [Cats] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false });
    app.enableCors({ origin: 'https://a.example' });
    app.setGlobalPrefix('api');
    await app.listen(0, '127.0.0.1');
    module.exports.app = app;
    return app.getHttpServer();
  },
  requests: [
    'GET /api/cats?a=1&b[c]=2',
    'GET /api/cats/7',
    'GET /api/cats/0',
    'GET /api/cats/x',
    'POST /api/cats\nContent-Type: application/json\n\n{"name":"Tom"}',
    'POST /api/cats\nContent-Type: application/json\n\n{',
    'POST /api/cats\nContent-Type: application/x-www-form-urlencoded\n\na=1',
    'GET /api/cats/feed/events\nConnection: close',
    'GET /api/cats/feed/file',
    'GET /api/cats/feed/late',
    'GET /api/cats/feed/go',
    'GET /api/cats/feed/broken',
    'GET /api/cats/feed/shut',
    'GET /api/cats/feed/shut\nX-Key: 1',
    'OPTIONS /api/cats\nOrigin: https://a.example\nAccess-Control-Request-Method: GET',
    'HEAD /api/cats',
    'GET /nowhere',
    'DELETE /api/cats',
  ],
  async play({ note }) {
    await module.exports.app.close();
    note('listening', module.exports.app.getHttpServer().listening);
  },
};
