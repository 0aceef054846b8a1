import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express from 'nonstop';
import { AppModule } from './cats.js';

const adapter = new ExpressAdapter(express()); // the one change: without it Nest makes an Express application
const app = await NestFactory.create<NestExpressApplication>(AppModule, adapter, { logger: ['error', 'warn'] });

app.enableShutdownHooks();
await app.listen(process.env['PORT'] ?? 3000);
const { port } = app.getHttpServer().address() as AddressInfo;
console.log(`http://localhost:${port}/cats`);
