// Loaded before a foreign program: `nonstop/http/register`, and at the end of each of its processes a line with who answered.
import diagnostics = require('node:diagnostics_channel');
import { appendFileSync } from 'node:fs';
import type http = require('node:http');
import path = require('node:path');
import { explainAcceleration, subject } from '../support/subject.js';

require(path.join(subject, 'http', 'register.js'));

const file = process.env['CONFORMANCE_TALLY'];
/** Requests by who answered: `engine`, `node:http`, or the reason for which a server was left to node. */
const tally: Record<string, number> = {};

// node and the engine publish on this channel before any handler is called.
diagnostics.subscribe('http.server.request.start', (message) => {
  const { request, server } = message as { request: object; server: http.Server };
  const marked = Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');
  const by = marked ? 'engine' : (explainAcceleration(server).reason ?? 'node:http');
  tally[by] = (tally[by] ?? 0) + 1;
});

process.on('exit', () => {
  if (file !== undefined && Object.keys(tally).length > 0) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
