import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'nonstop';
import { useExpressServer } from 'routing-controllers';
import { AuthorsModule } from './authors.js';
import { BooksController } from './books.js';

// One application: /books is routing-controllers', everything else is Nest's.
const app = express();
useExpressServer(app, { controllers: [BooksController] });

const nest = await NestFactory.create(AuthorsModule, new ExpressAdapter(app), { logger: ['error', 'warn'] });
await nest.init();

const server = app.listen(process.env['PORT'] ?? 3000, (error) => {
  if (error) throw error;
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://localhost:${address.port}/books`);
});
