// The test files of suites that are not run completely.

/** The files of socket.io's tests, without that of uWebSockets.js, a native server. Many fail on a busy machine, because they wait only for a short time. */
export const socketIo = [
  'server-attachment',
  'handshake',
  'close',
  'namespaces',
  'socket',
  'messaging-many',
  'middleware',
  'socket-middleware',
  'v2-compatibility',
  'socket-timeout',
  'utility-methods',
  'connection-state-recovery',
];

/** The files of `@fastify/express`'s tests, without those that depend on timing. */
export const fastifyExpress = [
  '404s',
  'application',
  'basic',
  'enhance-request',
  'hooks',
  'middleware',
  'path-normalization',
];

/** The files of Nest's integration tests that use Express, by their folder. */
export const nest = {
  cors: ['express'],
  'hello-world': [
    'exceptions',
    'exclude-middleware',
    'express-instance',
    'express-multiple',
    'guards',
    'hello-world',
    'interceptors',
    'local-pipes',
    'middleware',
    'middleware-class',
    'middleware-execute-order',
    'middleware-with-versioning',
    'router-module',
    'router-module-middleware',
  ],
  'nest-application/app-locals': ['express'],
  'nest-application/get-url': ['express'],
  'nest-application/global-prefix': ['global-prefix'],
  'nest-application/listen': ['express'],
  'nest-application/raw-body': ['express'],
  'nest-application/sse': ['express'],
  'nest-application/use-body-parser': ['express'],
  scopes: [
    'circular-request-scope',
    'circular-transient-scope',
    'durable-providers',
    'inject-inquirer',
    'request-modules-scope',
    'request-scope',
    'transient-scope',
  ],
  'send-files': ['express'],
  versioning: ['custom-versioning', 'header-versioning', 'media-type-versioning', 'uri-versioning'],
  websockets: ['error-gateway', 'gateway', 'gateway-ack', 'ws-gateway'],
};

/** The files of restify's tests without HTTP/2. */
export const restify = [
  'chain',
  'chainComposer',
  'formatter',
  'formatter-optional',
  'index',
  'request',
  'response',
  'router',
  'routerRegistryRadix',
  'server',
  'upgrade',
  'utils',
];

/** The files of live-server's tests, without that of its command line. */
export const liveServer = ['acceptance', 'cors', 'htpasswd', 'https', 'middleware', 'mount', 'proxy', 'spa'];

/** The files of LoopBack 3's tests that serve. */
export const loopback = [
  'access-control.integration',
  'access-token.test',
  'acl.test',
  'app.test',
  'context-options.test',
  'error-handler.test',
  'integration.test',
  'loopback.test',
  'model.application.test',
  'model.test',
  'relations.integration',
  'remote-connector.test',
  'remoting-coercion.test',
  'remoting.integration',
  'replication.rest.test',
  'rest.middleware.test',
  'user.integration',
  'user.test',
];

/** The files of Sails's tests that serve, and its units. The others start programs in new folders with npm. */
export const sails = [
  ...[
    '404',
    '500',
    'compression',
    'cookieParser',
    'favicon',
    'handleBodyParserError',
    'sails',
    'session',
    'static',
  ].map((name) => `middleware.${name}`),
  ...['blueprints.action.routes', 'blueprints.index.routes', 'cors', 'csrf', 'i18n', 'policies', 'views'].map(
    (name) => `hook.${name}`,
  ),
  'hook.sockets.interpreter',
  'lift.https',
  'router.params',
  'router.specifiedRoutes',
  'router.viewRendering',
];
