module.exports = {
  wants: ['tsoa', 'typescript@5', 'express'],
  about: 'controllers with generated routes and description: parameters, bodies, validation, errors',
  folder: 'tsoa',
  heavy: true,
  clock: 'runs',
  seconds: 180,
  files: {
    'users.ts': `
      import { Body, Controller, Get, Path, Post, Query, Response, Route, SuccessResponse, Tags } from 'tsoa';
      interface User { id: number; name: string; email?: string }
      interface UserParams { name: string; /** @isInt */ age: number }
      @Route('users') @Tags('users')
      export class UsersController extends Controller {
        @Get('{id}')
        public async one(@Path() id: number, @Query() name?: string): Promise<User> {
          if (id === 0) throw Object.assign(new Error('no such user'), { status: 404 });
          return { id, name: name ?? 'ann' };
        }
        @SuccessResponse('201', 'Created') @Response(422, 'Validation') @Post()
        public async make(@Body() body: UserParams): Promise<UserParams> {
          this.setStatus(201);
          this.setHeader('X-Made', 'yes');
          return body;
        }
      }`,
    'tsconfig.json':
      '{ "compilerOptions": { "module": "commonjs", "target": "es2022", "experimentalDecorators": true, "emitDecoratorMetadata": true, "esModuleInterop": true, "strict": false, "skipLibCheck": true } }',
  },
  async start({ folder }) {
    const path = require('node:path');
    const { readFileSync, writeFileSync } = require('node:fs');
    const { generateRoutes, generateSpec } = require('tsoa');
    const options = {
      entryFile: path.join(folder, 'users.ts'),
      noImplicitAdditionalProperties: 'throw-on-extras',
      controllerPathGlobs: [path.join(folder, 'users.ts')],
    };
    await generateSpec({ ...options, outputDirectory: folder, specVersion: 3 });
    await generateRoutes({ ...options, routesDir: folder, middleware: 'express' });
    const { transpileModule } = require('typescript');
    const { compilerOptions } = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'));
    for (const name of ['users', 'routes']) {
      const text = readFileSync(path.join(folder, `${name}.ts`), 'utf8');
      writeFileSync(
        path.join(folder, `${name}.js`),
        transpileModule(text, { compilerOptions: { ...compilerOptions, module: 1, target: 9 } }).outputText,
      );
    }
    const express = require('express');
    const { ValidateError } = require('tsoa');
    const app = express();
    app.use(express.json());
    require(path.join(folder, 'routes.js')).RegisterRoutes(app);
    const description = JSON.parse(readFileSync(path.join(folder, 'swagger.json'), 'utf8'));
    app.get('/description', (req, res) => res.json(description));
    app.use((error, req, res, next) => {
      if (error instanceof ValidateError) return res.status(422).json(error.fields);
      res.status(error.status ?? 500).json({ message: error.message });
    });
    return app;
  },
  requests: [
    'GET /users/7',
    'GET /users/7?name=ben',
    'GET /users/seven',
    'GET /users/0',
    'POST /users\nContent-Type: application/json\n\n{"name":"ann","age":3}',
    'POST /users\nContent-Type: application/json\n\n{"name":"ann","age":"old","more":1}',
    'GET /description',
    'GET /nowhere',
  ],
};
