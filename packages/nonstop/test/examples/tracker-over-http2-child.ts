// Runs the example application in its own process over HTTP/2 with TLS, with HTTP/1.1 on the same port. Argument: its data folder.
import type http = require('node:http');
import { certificate } from '../support/certificate.js';
import { inRepo } from '../support/paths.js';

interface Tracker {
  createApp(options: object): Promise<{ app: { listen(options: object): http.Server }; drain(): void }>;
}

/** Requests by HTTP version. */
const versions: Record<string, number> = {};

async function main(): Promise<void> {
  const { createApp } = require(inRepo('examples/tracker/app.js')) as Tracker;
  const { app } = await createApp({ dataDir: process.argv[2], seed: 50, log: false, secret: 'a secret of tests' });
  const server = app.listen({ port: 0, host: '127.0.0.1', http2: true, ...certificate() });
  server.prependListener('request', ({ httpVersion }: http.IncomingMessage) => {
    versions[httpVersion] = (versions[httpVersion] ?? 0) + 1;
  });
  server.on('listening', () => process.send?.(server.address()));
  process.on('message', () => process.send?.(versions));
}

void main();
