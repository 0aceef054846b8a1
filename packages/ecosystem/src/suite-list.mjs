import { fileURLToPath } from 'node:url';
import { fastifyExpress, liveServer, loopback, nest, restify, sails, socketIo } from './suite-files.mjs';

/**
 * How a package runs its own tests.
 * @typedef {object} Suite
 * @property {keyof typeof import('./suite-results.mjs').readers} runner
 * @property {string[]} args after the runner's own
 * @property {string} [folder] of the package inside of the checkout
 * @property {string} [versionOf] the folder, inside of this one, whose package.json has the version
 * @property {string} [from] the checkout's name, if it differs from the suite's
 * @property {string[][]} [build] commands of installed packages to run before, each with its arguments
 * @property {Record<string, string>} [env]
 */

const nestArgs = [
  '--exit',
  '--timeout',
  '20000',
  '--require',
  'ts-node/register/transpile-only',
  '--require',
  'reflect-metadata',
  ...Object.entries(nest).flatMap(([folder, names]) =>
    names.map((name) => `integration/${folder}/e2e/${name}.spec.ts`),
  ),
];

/** Node's type stripping does not support decorators. Without it mocha loads the files with ts-node. */
const stripping = ['--strip-types', '--experimental-strip-types'].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);
/** @type {Record<string, string>} */
const byTsNode = stripping === undefined ? {} : { NODE_OPTIONS: stripping.replace('--', '--no-') };

/** @type {Record<string, Suite>} by the name of the checkout's folder */
export const suites = {
  '0http': { runner: 'mocha', args: ['--exit', 'tests/*.test.js'], env: { PORT: '38372', NODE_ENV: 'testing' } },
  '@as-integrations/express5': {
    runner: 'jest',
    from: 'apollo-server-integration-express5',
    args: ['--runInBand', '--forceExit'],
  },
  '@fastify/compress': {
    runner: 'node',
    from: 'fastify-compress',
    args: ['--test', 'test/*.test.js', 'test/regression/*.test.js'],
  },
  // Without form-data.test.js, whose requests have 100 ms.
  '@fastify/express': {
    runner: 'node',
    from: 'fastify-express',
    args: ['--test', ...fastifyExpress.map((name) => `test/${name}.test.js`)],
  },
  '@fastify/http-proxy': { runner: 'node', from: 'fastify-http-proxy', args: ['--test', 'test/*.js'] },
  '@fastify/middie': { runner: 'node', from: 'middie', args: ['--test', 'test/*.test.js'] },
  '@fastify/multipart': { runner: 'node', from: 'fastify-multipart', args: ['--test', 'test/*.test.js'] },
  '@fastify/static': { runner: 'node', from: 'fastify-static', args: ['--test', 'test/*.test.js'] },
  // Without inject.test.js, whose sockets belong to no server that listens.
  '@fastify/websocket': {
    runner: 'node',
    from: 'fastify-websocket',
    args: ['--test', ...['base', 'hooks', 'router'].map((name) => `test/${name}.test.js`)],
  },
  '@hapi/h2o2': { runner: 'lab', from: 'h2o2', args: [] },
  '@hapi/nes': { runner: 'lab', from: 'nes', args: ['-m', '10000'] },
  '@hapi/wreck': { runner: 'lab', from: 'wreck', args: ['-m', '10000'] },
  '@hono/node-server': { runner: 'vitest', from: 'node-server', args: ['run'] },
  '@koa/router': {
    runner: 'node',
    from: 'koa-router',
    args: ['--require', 'ts-node/register', '--test', 'test/*.test.ts', 'test/utils/*.test.ts'],
    env: { TS_NODE_PROJECT: 'tsconfig.ts-node.json' },
  },
  '@google-cloud/functions-framework': {
    runner: 'mocha',
    from: 'functions-framework-nodejs',
    args: ['--recursive', '--exit', 'build/test'],
    build: [['tsc', '-p', '.']],
  },
  '@mswjs/http-middleware': { runner: 'vitest', from: 'http-middleware', args: ['run'] },
  '@octokit/webhooks': { runner: 'vitest', from: 'webhooks.js', args: ['run'] },
  '@smithy/node-http-handler': { runner: 'vitest', from: 'node-http-handler', args: ['run'] },
  '@trpc/server': {
    runner: 'vitest',
    from: 'trpc',
    folder: 'packages/server',
    args: ['run', '--root', '../..', 'adapters/express.test', 'adapters/standalone.test'],
  },
  '@tus/server': {
    runner: 'mocha',
    from: 'tus-node-server',
    folder: 'packages/server',
    args: ['--exit', 'dist/test/*.js'],
    build: [['tsc', '--build', '../..']],
  },
  // Without two tests: one needs those before it to end within a second, one asks a server on the internet.
  agentkeepalive: {
    runner: 'mocha',
    args: ['--exit', '--invert', '--grep', 'request again and use the same socket|idle socket', 'test/*.test.js'],
  },
  axios: { runner: 'mocha', args: ['--exit', 'test/unit/**/*.js'] },
  'better-sse': { runner: 'vitest', args: ['run'] },
  'body-parser': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'browser-sync': {
    runner: 'mocha',
    folder: 'packages/browser-sync',
    args: ['--exit', '--recursive', 'test/specs'],
    build: [['tsc']],
  },
  'chai-http': { runner: 'mocha', args: [] },
  'co-body': { runner: 'mocha', args: ['--exit', '--require', 'should', 'test/*.test.js'] },
  compression: { runner: 'mocha', args: ['--check-leaks'] },
  connect: { runner: 'mocha', args: ['--require', 'test/support/env', '--check-leaks', 'test/'] },
  'connect-multiparty': { runner: 'mocha', args: [] },
  'cookie-parser': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'cookie-session': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  cookies: { runner: 'mocha', args: ['--require', 'test/support/env', '--check-leaks', 'test/'] },
  cors: { runner: 'mocha', args: ['--require', 'test/support/env'] },
  csurf: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  // Without WebTransport and uWebSockets.js, which are native servers. Many tests expect an event within 10 to 300 ms.
  'engine.io': {
    runner: 'mocha',
    from: 'socket.io',
    folder: 'packages/engine.io',
    args: ['--exit', '--timeout', '20000', '--retries', '5', 'test/*.js'],
    build: [['tsc']],
  },
  errorhandler: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'express-basic-auth': { runner: 'mocha', args: ['test.js'] },
  // Its units (`test:unit`), without test/e2e, which starts the gateway's own command, and without a schema on the internet, whose test ends
  // the run at once where there is none. Its certificates have small keys.
  'express-gateway': {
    runner: 'mocha',
    args: ['--exit', '--invert', '--grep', 'remote schema', 'test/{,!(e2e)/**/}*.test.js'],
    env: {
      EG_HTTP_PORT: '0',
      EG_CONFIG_DIR: 'lib/config',
      EG_DISABLE_CONFIG_WATCH: 'true',
      NODE_OPTIONS: '--tls-cipher-list=DEFAULT@SECLEVEL=0',
    },
  },
  'express-graphql': { runner: 'mocha', args: ['--exit', 'src/**/__tests__/**/*.ts'], env: byTsNode },
  'express-http-proxy': { runner: 'mocha', args: ['--recursive', '--exit', 'test'] },
  'express-openapi-validator': {
    runner: 'mocha',
    args: [
      ...['source-map-support/register', 'ts-node/register/transpile-only'].flatMap((name) => ['--require', name]),
      '--exit',
      'test/{*,*/*}.spec.ts',
    ],
    env: byTsNode,
  },
  'express-openid-connect': { runner: 'mocha', args: ['--max-http-header-size=16384'] },
  'express-rate-limit': { runner: 'jest', args: ['--coverage=false', '--forceExit'] },
  'express-session': {
    runner: 'mocha',
    from: 'session',
    args: ['--require', 'test/support/env', '--check-leaks', '--no-exit', 'test/'],
  },
  'fast-gateway': { runner: 'mocha', args: ['--exit', 'test/*.test.js'] },
  'fast-proxy': { runner: 'mocha', args: ['--exit', 'test/*.test.js'] },
  fastify: { runner: 'node', args: ['--test', '--test-timeout=60000', 'test/**/*.test.js', 'test/**/*.test.mjs'] },
  finalhandler: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'follow-redirects': { runner: 'mocha', args: [] },
  grant: { runner: 'mocha', args: ['--recursive'] },
  h3: { runner: 'vitest', args: ['run', '--typecheck.enabled=false'] },
  hapi: { runner: 'lab', args: ['-m', '20000'] },
  helmet: { runner: 'node', args: ['--import', 'tsx', '--test', '--test-concurrency=2', 'test/*.test.ts'] },
  'http-proxy': { runner: 'mocha', from: 'node-http-proxy', args: ['test/*-test.js'] },
  'http-proxy-middleware': { runner: 'vitest', args: ['run'] },
  httpxy: { runner: 'vitest', args: ['run', '--typecheck.enabled=false'] },
  'inversify-express-utils': { runner: 'jest', args: ['--forceExit', '--runInBand'] },
  jayson: { runner: 'mocha', args: ['--exit'] },
  'json-server': { runner: 'node', args: ['--experimental-strip-types', '--test', 'src/*.test.ts'] },
  karma: { runner: 'mocha', args: ['test/unit/**/*.spec.js', '--exit'] },
  koa: {
    runner: 'node',
    args: [
      '--test',
      ...['application', 'context', 'lib', 'request', 'response'].map((name) => `__tests__/${name}/*.test.js`),
    ],
  },
  // Its own interface, and the loading of pages and of what they name. The web platform tests need a server of Python.
  jsdom: { runner: 'mocha', args: ['test/api/', 'test/to-port-to-wpts/', 'test/to-port-to-wpts/level2/'] },
  'koa-body': { runner: 'node', args: ['--import', 'tsx', '--test', 'src/**/*.test.ts'] },
  'koa-bodyparser': { runner: 'jest', args: ['--forceExit'] },
  'koa-compress': { runner: 'jest', args: ['--forceExit'] },
  'koa-static': { runner: 'mocha', args: ['--exit'] },
  linkinator: { runner: 'vitest', args: ['run'] },
  // Without cli.js, which gives each of its programs only two seconds.
  'live-server': { runner: 'mocha', args: ['--exit', ...liveServer.map((name) => `test/${name}.js`)] },
  // Without the browser's tests, and without one that expects a mounted application to have its own prototypes (docs/compat): mocha stops at
  // its failure, on Express too.
  loopback: {
    runner: 'mocha',
    args: [
      '--grep',
      'restores req & res on return',
      '--invert',
      '--require',
      'test/helpers/use-english',
      '--exit',
      ...loopback.map((name) => `test/${name}.js`),
    ],
  },
  'method-override': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'moleculer-web': { runner: 'jest', args: ['--forceExit', '--runInBand'] },
  // Its tests expect colours.
  morgan: { runner: 'mocha', args: ['--check-leaks'], env: { NO_COLOR: '' } },
  multer: { runner: 'mocha', args: ['--exit', '--check-leaks', 'test/'] },
  multiparty: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'nest, on Express 4': { runner: 'mocha', from: 'nest-10', args: nestArgs, env: byTsNode },
  'nest, on Express 5': { runner: 'mocha', from: 'nest-11', args: nestArgs, env: byTsNode },
  nock: { runner: 'mocha', args: ['--recursive', 'tests'] },
  'node-fetch': { runner: 'mocha', args: [] },
  // The package's own test/run.js writes no report.
  'oidc-provider': {
    runner: 'mocha',
    from: 'node-oidc-provider',
    args: [
      '--exit',
      '--recursive',
      '--file',
      fileURLToPath(new URL('../child/oidc-provider.mjs', import.meta.url)),
      '--ignore',
      'test/run.js',
      '--ignore',
      'test/ci.js',
      // One test has a new key in its title each time.
      '--invert',
      '--grep',
      '"qi":',
      'test',
    ],
  },
  ofetch: { runner: 'vitest', args: ['run'] },
  'on-finished': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'on-headers': { runner: 'mocha', args: ['--check-leaks', 'test/test.js'] },
  'pino-http': { runner: 'node', args: ['--test', 'test/*.js'] },
  polka: { runner: 'tape', folder: 'packages/polka', args: ['../../tests/*.js'] },
  'raw-body': { runner: 'vitest', args: ['run'] },
  'response-time': { runner: 'mocha', args: [] },
  restana: { runner: 'mocha', args: ['--exit', 'specs/*.test.js'], env: { PORT: '38371', NODE_ENV: 'testing' } },
  // Without serverHttp2.test.js: OpenSSL refuses the key of its server.
  restify: {
    runner: 'nodeunit',
    from: 'node-restify',
    args: restify.map((name) => `test/${name}.test.js`),
  },
  'restify, its plugins': { runner: 'mocha', from: 'node-restify', args: ['--exit', 'test/plugins/*.test.js'] },
  'routing-controllers': { runner: 'jest', args: ['--forceExit', '--runInBand'] },
  sails: {
    runner: 'mocha',
    args: [
      '--recursive',
      '--exit',
      'test/hooks',
      'test/unit',
      ...sails.map((name) => `test/integration/${name}.test.js`),
    ],
  },
  samlp: { runner: 'mocha', from: 'node-samlp', args: ['--exit'] },
  send: { runner: 'mocha', args: ['--check-leaks'] },
  'serve-favicon': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'serve-handler': { runner: 'jest', args: ['--forceExit', 'test/integration.test.js'] },
  'serve-index': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'serve-static': { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  soap: {
    runner: 'mocha',
    from: 'node-soap',
    args: ['--exit', 'test/*-test.js', 'test/security/*.js'],
    env: { TZ: 'UTC' },
    build: [['tsc', '-p', '.']],
  },
  'socket.io': {
    runner: 'mocha',
    folder: 'packages/socket.io',
    args: [
      '--import=tsx',
      '--timeout',
      '30000',
      '--retries',
      '2',
      '--exit',
      ...socketIo.map((name) => `test/${name}.ts`),
    ],
    build: [['tsc']],
  },
  st: { runner: 'node', args: ['--test', '--test-concurrency=1', 'test/*-test.js'] },
  stoppable: { runner: 'mocha', args: ['test/*.test.js'] },
  'strong-remoting': { runner: 'mocha', args: ['--exit'] },
  superagent: {
    runner: 'mocha',
    args: ['--require', 'should', '--exit', 'test/*.js', 'test/node/*.js'],
    build: [['babel', '--config-file', './.lib.babelrc', 'src', '--out-dir', 'lib']],
  },
  supertest: { runner: 'mocha', args: ['--exit', '--require', 'should', '--check-leaks'] },
  timeout: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  tinyhttp: { runner: 'vitest', args: ['run'], versionOf: 'packages/app' },
  // Folders that need no build, and whose tests depend least on timing.
  undici: {
    runner: 'node',
    args: [
      '--test',
      '--test-timeout=180000',
      '--test-concurrency=2',
      '--expose-gc',
      ...['node-fetch', 'node-test', 'websocket'].map((name) => `test/${name}/*.js`),
    ],
  },
  vary: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  vhost: { runner: 'mocha', args: ['--check-leaks', 'test/'] },
  'webpack-hot-middleware': { runner: 'mocha', args: ['--exit'] },
  websocket: { runner: 'tape', from: 'WebSocket-Node', args: ['test/unit/*.js'] },
  ws: { runner: 'mocha', args: ['--throw-deprecation', 'test/*.test.js'] },
};
