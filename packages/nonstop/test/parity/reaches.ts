import { version } from '../support/subject.js';

// Statements of handlers that reach into Express, as packages and agents do: they wrap methods, write to a request, edit a running
// application. `wrap`, `calls`, `rootOf`, `mayGrow` and `edit` are helpers of the program.

// Not setHeader and getHeader: docs/compat has a row about how often they are called.
const METHODS_OF_RES = [
  'send',
  'json',
  'end',
  'set',
  'get',
  'type',
  'status',
  'removeHeader',
  'writeHead',
  'write',
  'vary',
  'location',
  'redirect',
  'cookie',
  'format',
  'sendStatus',
  'links',
];

/** Names that the two versions of Express spell differently. */
const LAYER =
  version === 4
    ? { request: 'handle_request', error: 'handle_error', handles: '_handles_method' }
    : { request: 'handleRequest', error: 'handleError', handles: '_handlesMethod' };

const METHODS_OF_REQ = ['get', 'header', 'accepts', 'is'];

/** Statements that wrap methods of the messages or of their prototypes. */
export const wrapsOf = (ofResponses: readonly string[], ofRequests: readonly string[]): string[] => [
  ...ofResponses.flatMap((name) => [`wrap(res, '${name}')`, `wrap(rootOf(req).response, '${name}')`]),
  ...ofRequests.flatMap((name) => [`wrap(req, '${name}')`, `wrap(rootOf(req).request, '${name}')`]),
];

const ofMessages = [
  "Object.defineProperty(req, 'ip', { value: '192.0.2.1', configurable: true })",
  "Object.defineProperty(req, 'query', { value: { own: '1' }, configurable: true })",
  "Object.defineProperty(rootOf(req).request, 'xhr', { get: () => 'mine', configurable: true })",
  "Object.defineProperty(rootOf(req).request, 'path', { get() { return '/of-the-app' + this.url }, configurable: true })",
  "req.query = { assigned: '1' }",
  "req.headers['x-requested-with'] = 'XMLHttpRequest'",
  "req.headers.host = 'changed.example:99'",
  'delete req.headers.accept',
  "req.headers = { accept: 'text/plain', host: 'other' }",
  "req.headers['if-none-match'] = '*'",
  "res.on('finish', () => calls.push('finish'))",
  "res.on('close', () => calls.push('close'))",
  "res.once('prefinish', () => calls.push('prefinish'))",
  "res.on('pipe', () => calls.push('pipe'))",
  'res.sendDate = false',
  "res.statusMessage = 'Of The Program'",
  'res.locals = { other: 1 }',
  'rootOf(req).response.own = 1',
  'Object.freeze(req.params)',
  'Object.freeze(res.locals)',
  'Object.freeze(req.headers)',
  "req.url = ''",
  "req.url = 'http://other.example/b?absolute'",
  "req.method = 'get'",
  'req.method = undefined',
  'req.route = undefined',
  'delete req.baseUrl',
  'res.statusCode = 304',
  'res.statusCode = 204',
  "res.statusCode = '202'",
  'res.statusCode = 99',
  "res.set({ 'X-A': 1, 'X-B': ['1', '2'] })",
  "res.set('Content-Type', 'application/json')",
  "res.set('content-type', 'text/plain; charset=latin1')",
  "res.set('Transfer-Encoding', 'chunked')",
  "res.attachment('\u00e9.txt')",
  "res.removeHeader('Content-Type')",
  'res.flushHeaders()',
  "res.writeHead(203, { 'X-Head': '1' })",
  "res.write('early ')",
  'calls.push([res.headersSent, res.writableEnded, res.finished, req.complete].join())',
  'calls.push(JSON.stringify(res.getHeaders()))',
  'calls.push(res.getHeaderNames().join())',
  'Object.setPrototypeOf(res, Object.create(Object.getPrototypeOf(res)))',
  'Object.setPrototypeOf(req, Object.create(Object.getPrototypeOf(req)))',
];

const ofApplications = [
  "req.app.set('etag', false)",
  "req.app.set('etag', (body) => '\"' + body.length + '\"')",
  "req.app.set('json spaces', 2)",
  "req.app.set('json replacer', (key, value) => (value === 'a' ? 'replaced' : value))",
  "req.app.set('query parser', 'extended')",
  "req.app.set('query parser', (text) => ({ parsed: text }))",
  "req.app.set('trust proxy', (address, hop) => hop === 0)",
  "req.app.disable('x-powered-by')",
  "req.app.enable('strict routing')",
  "req.app.locals.late = 'yes'",
  "req.app.get('/a', function added(q, s) { tell(q, s) })",
  "req.app.use(function late(q, s, n) { s.append('X-Trail', 'late'); n() })",
  "req.app.use('/b', function lateAtB(q, s, n) { s.append('X-Trail', 'lateAtB'); n() })",
  "req.app.use(function lateError(err, q, s, n) { s.append('X-Trail', 'lateError'); n(err) })",
  "req.app.param('id', function lateParam(q, s, n, value) { s.append('X-Trail', 'lateParam'); n() })",
  'edit(req.app, (layers) => layers.reverse())',
  'edit(req.app, (layers) => mayGrow() && layers.push(...layers.slice(0, 1)))',
  'edit(req.app, (layers) => layers.unshift(...layers.splice(-1)))',
  'edit(req.app, (layers) => layers.splice(1, 1))',
  'edit(req.app, (layers) => layers.pop())',
  'edit(req.app, (layers) => layers.sort((a, b) => a.name.length - b.name.length))',
  'edit(req.app, (layers) => { layers.length = Math.min(layers.length, 4) })',
  'edit(req.app, (layers) => layers.forEach(wrapHandle))',
  "edit(req.app, (layers) => layers.forEach((layer) => calls.push(layer.name + ' ' + (layer.route ? Object.keys(layer.route.methods) : ''))))",
  "wrap(req.app, 'handle')",
  `edit(req.app, (layers) => layers.forEach((layer) => wrap(layer, '${LAYER.request}')))`,
  `edit(req.app, (layers) => layers.forEach((layer) => wrap(layer, '${LAYER.error}')))`,
  "edit(req.app, (layers) => layers.forEach((layer) => wrap(layer, 'match')))",
  "if (req.route) wrap(req.route, 'dispatch')",
  `if (req.route) wrap(req.route, '${LAYER.handles}')`,
  'if (req.route) req.route.stack.reverse()',
  'if (req.route && mayGrow()) req.route.stack.push(...req.route.stack.slice(0, 1))',
  'if (req.route) req.route.methods.post = true',
  "wrap(req, 'next')",
  'if (req.route) req.route.all(function behind(q, s, n) { s.append("X-Trail", "behind"); n() })',
  'if (req.route) wrapHandle(req.route.stack[0])',
  "calls.push(Object.keys(req.params).join() + ' ' + Object.keys(res.locals).join())",
  'calls.push(typeof req.next + (req.res === res) + (res.req === req) + (req.app === res.app))',
];

/** In front of what a handler does. */
export const REACHES: readonly string[] = [
  ...wrapsOf(METHODS_OF_RES, METHODS_OF_REQ),
  ...ofMessages,
  ...ofApplications,
];

/** In place of `next()`. */
export const REACHING_PASSES: readonly string[] = [
  'req.next()',
  'if (req.again) return next(); req.again = true; req.app(req, res, next)',
  'if (req.again) return next(); req.again = true; req.app.handle(req, res, next)',
  'if (req.again) return next(); req.again = true; req.app.handle(req, res)',
  "express.Router().use((q, s, n) => { s.append('X-Trail', 'inner'); n() })(req, res, next)",
  "express.Router().get('/a', (q, s) => tell(q, s)).handle(req, res, next)",
  "express().use((q, s, n) => { s.append('X-Trail', 'inner app'); n() })(req, res, next)",
];

/** For the head of a program. */
export const REACHING_HELPERS = `\
const calls = [];
function wrap(object, name) {
  const original = object[name];
  object[name] = function wrapped(...args) {
    calls.push(name + ' ' + args.map((arg) => (typeof arg === 'string' ? arg.slice(0, 100) : typeof arg)).join());
    return original.apply(this, args);
  };
}
function wrapHandle(layer) {
  const { handle } = layer;
  const called = (args) => {
    calls.push('handle of ' + layer.name);
    return handle(...args);
  };
  layer.handle = handle.length === 4 ? (err, req, res, next) => called([err, req, res, next]) : (req, res, next) => called([req, res, next]);
}
// Not the prototypes of a mounted application: docs/compat has a row about those that are written to while a request is in it.
function rootOf(req) {
  let { app } = req;
  while (app.parent) app = app.parent;
  return app;
}
// A handler that adds itself behind itself would be called for ever.
let grown = 0;
function mayGrow() {
  return ++grown < 10;
}
// In place; not the first two layers of Express 4: docs/compat has a row about messages in front of them.
function edit(app, change) {
  if (!app.lazyrouter) return void change(app.router.stack);
  app.lazyrouter();
  const layers = app._router.stack.splice(2);
  change(layers);
  app._router.stack.push(...layers);
}
`;
