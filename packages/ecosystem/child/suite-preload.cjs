// Loaded with `--require` before another project's tests: `nonstop/register` and `nonstop/http/register`, and a line for
// each request with the server that answered it. Lines are written at once, because a test process may be killed at its
// end.
'use strict';
const diagnostics = require('node:diagnostics_channel');
const { appendFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');

const { ECOSYSTEM_NONSTOP: entry, ECOSYSTEM_TALLY: tally } = process.env;
require(path.join(entry, 'register.js'));
require(path.join(entry, 'http', 'register.js'));
const { explainAcceleration } = require(path.join(entry, 'http.js'));

const madeByEngine = (request) =>
  Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');

function count({ request, server }) {
  const by = madeByEngine(request) ? 'engine' : `node:http ${explainAcceleration(server).reason ?? ''}`;
  appendFileSync(tally, `${by}\n`);
}
diagnostics.subscribe('http.server.request.start', count);

// Requests that leave HTTP are not published.
for (const { prototype } of [http.Server, https.Server]) {
  const { emit } = prototype;
  Object.defineProperty(prototype, 'emit', {
    value: function (event, ...rest) {
      if (event === 'upgrade' || event === 'connect') count({ request: rest[0], server: this });
      return emit.call(this, event, ...rest);
    },
    writable: true,
    configurable: true,
  });
}
