import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';

const server = createApp().listen(Number(process.env['PORT'] ?? 3000), (error) => {
  if (error) throw error;
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/books`);
});
