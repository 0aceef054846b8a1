'use strict';

const path = require('node:path');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const announce = require('../announce');

/** Nest's packages are installed on demand, beside those of the other contestants. */
const home = createRequire(path.join(__dirname, '../../.peers/package.json'));
const load = (name) => import(pathToFileURL(home.resolve(name)).href);

/**
 * A Nest application on platform-express: a guard that reads a field, a pipe that reads a number from the path, a controller with an
 * injected service. Decorators are called as functions, because this file is not compiled.
 */
module.exports = async function serve() {
  await load('reflect-metadata');
  const { Controller, Get, Inject, Injectable, Module, Param, ParseIntPipe, UseGuards } = await load('@nestjs/common');
  const { NestFactory } = await load('@nestjs/core');

  class ItemsService {
    one(id) {
      return { id, name: `item ${id}`, tags: ['a', 'b'] };
    }
  }
  Injectable()(ItemsService);

  class AgentGuard {
    canActivate(context) {
      return context.switchToHttp().getRequest().headers['user-agent'] !== undefined;
    }
  }
  Injectable()(AgentGuard);

  class ItemsController {
    constructor(items) {
      this.items = items;
    }
    one(id) {
      return this.items.one(id);
    }
  }
  const { prototype } = ItemsController;
  Controller('items')(ItemsController);
  Inject(ItemsService)(ItemsController, undefined, 0);
  Get(':id')(prototype, 'one', Object.getOwnPropertyDescriptor(prototype, 'one'));
  UseGuards(AgentGuard)(prototype, 'one', Object.getOwnPropertyDescriptor(prototype, 'one'));
  Param('id', ParseIntPipe)(prototype, 'one', 0);

  function AppModule() {}
  Module({ controllers: [ItemsController], providers: [ItemsService] })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  const server = app.getHttpServer();
  announce(server);
  await app.listen(Number(process.env.PORT), '127.0.0.1');
};
