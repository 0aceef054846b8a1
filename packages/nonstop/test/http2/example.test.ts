import assert = require('node:assert/strict');
import type http2 = require('node:http2');
import { test } from 'node:test';
import { certificate } from '../support/certificate.js';
import { ask } from '../support/http2-client.js';
import { served } from '../support/http2-server.js';
import { inRepo } from '../support/paths.js';

test('the recipe answers over HTTP/2', async () => {
  const { serve } = require(inRepo('examples/http2/app.js')) as {
    serve(options: object): { server: http2.Http2Server };
  };
  const { server } = serve({ port: 0, host: '127.0.0.1', ...certificate() });
  const { session, close } = await served(server, true);
  const { body } = await ask(session, { headers: { ':authority': 'localhost' } });
  assert.deepEqual(JSON.parse(body.toString()), { version: '2.0', protocol: 'https', host: 'localhost' });
  await close();
});
