// Loaded by mocha before the tests of oidc-provider, in the place of their `test/run.js`, which has no report to read: the
// one server that all of them use.
import { once } from 'node:events';
import { createServer } from 'node:http';

process.env.MOUNT_VIA = '';
process.env.MOUNT_TO = '/';
globalThis.server = createServer().listen(0, '127.0.0.1');
await once(globalThis.server, 'listening');
