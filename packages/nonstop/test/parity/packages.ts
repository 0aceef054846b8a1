import { createHmac } from 'node:crypto';

// What random programs do with widely used middleware in its published form. Nothing that depends on the clock or on chance.

/** The cookie of the session that every program begins with: `genid` returns a fixed text. */
const signature = createHmac('sha256', 'secret').update('fixed').digest('base64').replace(/=+$/, '');
const SESSION_COOKIE = `connect.sid=${encodeURIComponent(`s:fixed.${signature}`)}`;

/** Middleware, by its source. */
export const PACKAGES: readonly string[] = [
  "require('compression')({ threshold: 0 })",
  "require('compression')({ threshold: 0 })",
  "require('compression')({ threshold: '100b', filter: (req, res) => !res.getHeader('X-Trail') })",
  "require('cors')()",
  "require('cors')({ origin: true, credentials: true, preflightContinue: true })",
  "require('cors')({ origin: 'http://a.example', exposedHeaders: ['X-Trail'], maxAge: 60 })",
  "require('helmet')()",
  "require('helmet')({ contentSecurityPolicy: false, xPoweredBy: false })",
  "require('cookie-parser')('secret')",
  "require('cookie-parser')()",
  "require('morgan')(':method :url :status :res[content-length] :req[host]', { stream: { write: (line) => calls.push(line) } })",
  "require('morgan')(':status', { immediate: true, stream: { write: (line) => calls.push(line) } })",
  "require('multer')().any()",
  "new (require('passport').Passport)().initialize()",
  "express.text({ type: '*/*' })",
  'express.raw({ type: () => true, limit: 20 })',
  "express.json({ strict: false, verify: (req, res, octets) => calls.push('verify ' + octets.length) })",
  'express.urlencoded({ extended: false, parameterLimit: 2 })',
];

/** Middleware of sessions: two kinds in one application break each other, in a callback where nobody catches the error. */
export const SESSIONS: readonly string[] = [
  "require('express-session')({ secret: 'secret', genid: () => 'fixed', resave: false, saveUninitialized: true })",
  "require('express-session')({ secret: 'secret', genid: () => 'fixed', resave: true, saveUninitialized: false })",
  "require('express-session')({ secret: 'secret', genid: () => 'fixed', resave: true, saveUninitialized: true, rolling: true, unset: 'destroy' })",
  "require('cookie-session')({ name: 'kept', keys: ['secret'] })",
];

/** In front of an answer. */
export const BEFORE_PACKAGES: readonly string[] = [
  'if (req.session) req.session.n = (req.session.n || 0) + 1',
  'if (req.session && req.session.destroy) req.session.destroy(() => undefined)',
  "if (req.session && req.session.save) req.session.save(() => calls.push('saved'))",
  'req.session = null',
  'delete req.session',
  "require('on-headers')(res, function () { this.setHeader('X-Late', String(this.statusCode)) })",
  "require('on-headers')(res, function () { this.removeHeader('Content-Type'); this.statusCode = 203 })",
  "require('on-finished')(res, () => calls.push('finished'))",
  "require('vary')(res, 'Origin')",
  "res.set('ETag', require('etag')('x'))",
  "res.set('Cache-Control', 'no-transform')",
  'if (res.flush) res.flush()',
  "res.cookie('signed', 'v', { signed: true })",
  "res.clearCookie('seen')",
  "res.set('Content-Encoding', 'identity')",
  "res.type('png')",
];

/** In place of an answer. */
export const PACKAGE_ENDS: readonly string[] = [
  "res.send('a text that can be made shorter '.repeat(40))",
  "res.write('a text '.repeat(40)); if (res.flush) res.flush(); res.end('end')",
  "res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 4 }); res.end('text')",
  "res.writeHead(200, 'Mine', ['X-One', '1', 'X-One', '2']); res.end('text')",
  'res.json({ cookies: req.cookies, signed: req.signedCookies, session: req.session, files: req.files && req.files.length })',
  "require('finalhandler')(req, res, { env: 'production' })()",
  "require('finalhandler')(req, res, { env: 'production' })(fail('final', 422))",
  "require('raw-body')(req, { encoding: true, limit: '1kb' }, (err, text) => (err ? next(err) : res.send('body ' + text)))",
  "if (!req.session || !req.session.regenerate) return next(); req.session.regenerate((err) => (err ? next(err) : res.send('again')))",
  "require('stream').Readable.from(['in ', 'pieces '.repeat(40)]).pipe(res)",
];

export const PACKAGE_FIELDS: readonly (readonly [string, string])[] = [
  ['Accept-Encoding', 'gzip'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Accept-Encoding', 'deflate;q=0.5, identity'],
  ['Accept-Encoding', '*;q=0'],
  ['Origin', 'http://a.example'],
  ['Access-Control-Request-Method', 'PUT'],
  ['Access-Control-Request-Headers', 'x-a, x-b'],
  ['Cookie', 'seen=yes; other=j:{"a":1}'],
  ['Cookie', SESSION_COOKIE],
  ['Cookie', `${SESSION_COOKIE}; seen=1`],
];

const BOUNDARY = 'of-the-program';

export const PACKAGE_BODIES: readonly (readonly [type: string, body: string])[] = [
  [
    `multipart/form-data; boundary=${BOUNDARY}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\ntext\r\n--${BOUNDARY}--\r\n`,
  ],
  [
    `multipart/form-data; boundary=${BOUNDARY}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinished`,
  ],
  ['application/json', '"strict"'],
  ['text/plain', 'a longer text than the limit'],
];
