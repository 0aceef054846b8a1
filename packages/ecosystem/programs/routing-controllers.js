module.exports = {
  wants: ['routing-controllers', 'class-validator', 'class-transformer', 'reflect-metadata', 'express'],
  about: 'controllers with decorators: parameters, bodies, errors, authorization, an interceptor',
  folder: 'routing-controllers',
  start() {
    require('reflect-metadata');
    const express = require('express');
    const rc = require('routing-controllers');
    class UserController {
      all() {
        return [{ id: 1 }];
      }
      one(id) {
        if (id === 0) throw new rc.NotFoundError('no such user');
        return { id, type: typeof id };
      }
      make(user) {
        return { made: user };
      }
      secret() {
        return 'secret';
      }
    }
    const method = (name, types, ...decorators) => {
      Reflect.defineMetadata('design:paramtypes', types, UserController.prototype, name);
      for (const decorate of decorators)
        decorate(UserController.prototype, name, Object.getOwnPropertyDescriptor(UserController.prototype, name));
    };
    method('all', [], rc.Get('/users'));
    method('one', [Number], (target, name) => rc.Param('id')(target, name, 0), rc.Get('/users/:id'));
    method(
      'make',
      [Object],
      (target, name) => rc.Body()(target, name, 0),
      rc.HttpCode(201),
      rc.Header('X-Made', 'yes'),
      rc.Post('/users'),
    );
    method('secret', [], rc.Authorized(), rc.Get('/secret'));
    rc.JsonController()(UserController);
    const app = express();
    rc.useExpressServer(app, {
      controllers: [UserController],
      authorizationChecker: ({ request }) => request.get('x-key') === '1',
      development: false,
    });
    return app;
  },
  // Its error handler answers, and then makes Express close the connection.
  requests: [
    'GET /users',
    'GET /users/7',
    'GET /users/0\nConnection: close',
    'POST /users\nContent-Type: application/json\n\n{"name":"ann"}',
    'GET /secret\nConnection: close',
    'GET /secret\nX-Key: 1',
    'POST /users\nContent-Type: application/json\nConnection: close\n\n{',
    'GET /nowhere',
  ],
};
