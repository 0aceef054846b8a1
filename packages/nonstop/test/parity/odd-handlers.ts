import type { Seeded } from '../support/seeded.js';
import { version } from '../support/subject.js';

// What handlers of random programs do with what a client has sent, and with values of the wrong kind. `asked` and `seen` are helpers of
// the program.

/** JavaScript of a value that a client can choose. */
const OF_REQUESTS: readonly string[] = [
  'req.query.q',
  'req.query.q',
  'req.query',
  'Object.keys(req.query)[0]',
  'Object.keys(req.query)',
  'req.params.id',
  'req.params',
  'req.path',
  'req.url',
  'req.originalUrl',
  'req.baseUrl',
  'req.hostname',
  'req.host',
  'req.ip',
  'req.ips',
  'req.subdomains',
  'req.protocol',
  "req.get('X-Odd')",
  "req.get('X-Odd')",
  "req.get('X-Odd')",
  "req.get('Referer')",
  "req.get('Cookie')",
  "req.get('Content-Type')",
  "req.get('Host')",
  'sent(req)',
  'req.cookies',
  'req.body',
  'req.body && req.body.a',
  'decodeURIComponent(req.url)',
  'unescape(req.url)',
  'Number(req.query.q)',
  'String(req.query.q).split(",")',
];

/** JavaScript of a value that a program has by mistake. */
const OF_PROGRAMS: readonly string[] = [
  "''",
  "' '",
  "'\\0'",
  "'a\\nb'",
  "'a\\r\\nX-Split: 1'",
  "'\u00e9'",
  "'\u4e2d'",
  "'\\ud800'",
  "'\\u2028'",
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '-0',
  '1.5',
  '99',
  '100',
  '199',
  '204',
  '304',
  '600',
  '999',
  '1000',
  '1e21',
  "'200'",
  "'0x10'",
  '[]',
  "['a', 'b']",
  "[['a'], undefined]",
  '{}',
  '{ a: { b: 1 } }',
  "Symbol('s')",
  'true',
  'false',
  '() => 1',
  '10n',
  'new Date(NaN)',
  'new Date(0)',
  '/x/',
  'Object.create(null)',
  'new Map([[1, 2]])',
  "new String('boxed')",
  "Buffer.from('\u00e9')",
  'new Uint8Array(3)',
  'new ArrayBuffer(2)',
  "{ toString: () => 'told' }",
  "{ toString() { throw fail('toString') } }",
  "{ toJSON() { throw fail('toJSON') } }",
  "{ get a() { throw fail('getter') } }",
  "'a'.repeat(5000)",
  "'__proto__'",
  "'constructor'",
  "'toString'",
  "'//h/%2e%2e'",
  "'http://[x/'",
  "'http://user:%@h/'",
  "'\\\\\\\\h'",
  "'javascript:x'",
  "'%zz'",
  "'%'",
  "'back'",
  "'..'",
  "'html'",
  "'.json'",
  "'text/html; charset'",
  "'text/html;;'",
  "'; charset=utf-8'",
  "'application/json; charset=latin1'",
  "'a.tar.gz'",
  "'no.such.ext'",
  "'a/b/../c.txt'",
  "'a\"b;c.txt'",
  "'*'",
  "','",
  "'a, b,, *'",
  "'bytes'",
  "'$&'",
];

/** Names of fields that a handler may set, without those that frame a message. */
const NAMES = [
  "'X-A'",
  "'X-A'",
  "'Content-Type'",
  "'ETag'",
  "'Location'",
  "'Set-Cookie'",
  "'Vary'",
  "'Link'",
  "'Cache-Control'",
].concat(
  [
    "'Last-Modified'",
    "'Content-Disposition'",
    "'Accept-Ranges'",
    "'Content-Encoding'",
    "'Date'",
    "'Retry-After'",
    "'__proto__'",
  ],
  ["''", "'X A'", "'X\u00e9'", "'x:'", "'constructor'"],
);

const COOKIE_OPTIONS = [
  'domain',
  'encode',
  'expires',
  'httpOnly',
  'maxAge',
  'maxAge',
  'path',
  'partitioned',
  'priority',
  'secure',
  'signed',
  'sameSite',
  '__proto__',
];

// In brackets: two members `__proto__` of a literal do not compile.
const option = (random: Seeded): string => `['${random.pick(COOKIE_OPTIONS)}']`;

type Value = () => string;
type Statement = (value: Value, random: Seeded) => string;

const answers: readonly Statement[] = [
  (v) => `res.redirect(${v()})`,
  (v) => `res.redirect(${v()})`,
  (v) => `res.redirect(${v()}, ${v()})`,
  (v, random) => `res.redirect(${random.pick(['301', '302', '307', '404', '200'])}, ${v()})`,
  (v) => `res.location(${v()}).end()`,
  (v) => `res.location(${v()}).send(${v()})`,
  (v) => `res.send(${v()})`,
  (v) => `res.send(${v()})`,
  (v) => `res.json(${v()})`,
  (v) => `res.jsonp(${v()})`,
  (v) => `res.jsonp(${v()})`,
  (v) => `res.status(${v()}).send('text')`,
  (v) => `res.status(${v()}).json(${v()})`,
  (v) => `res.sendStatus(${v()})`,
  (v) => `res.type(${v()}).send(${v()})`,
  (v) => `res.attachment(${v()}).send('text')`,
  (v) => `res.links({ next: ${v()}, [${v()}]: ${v()} }).end()`,
  (v) => `res.vary(${v()}).end()`,
  (v) => `res.cookie('name', ${v()}).end()`,
  (v) => `res.end(${v()})`,
  (v) => `res.format({ [${v()}]: () => res.send('odd'), json: () => res.json(1) })`,
  (v) => `res.format({ [${v()}]: () => res.send('odd') })`,
  (v) => `res.format({ html: () => res.send(${v()}), text: () => res.jsonp(${v()}), default: () => res.json(${v()}) })`,
  () => "res.format({ html: () => res.send('<p>'), 'text/*': () => res.send('any'), xml: () => res.send('<x/>') })",
  () => 'res.format({ default: () => res.sendStatus(406) })',
  () => 'res.format({})',
  () => 'asked(req, res)',
  () => 'asked(req, res)',
  () => 'asked(req, res)',
  () => 'asked(req, res)',
  () => 'asked(req, res)',
  () => 'asked(req, res)',
];

const steps: readonly Statement[] = [
  (v) => `res.cookie('name', ${v()})`,
  (v) => `res.cookie(${v()}, 'value')`,
  (v, random) => `res.cookie('name', 'value', { ${option(random)}: ${v()} })`,
  (v, random) => `res.cookie('name', ${v()}, { ${option(random)}: ${v()}, ${option(random)}: ${v()} })`,
  (v) => `res.cookie('name', 'value', ${v()})`,
  (v) => `res.clearCookie(${v()})`,
  (v, random) => `res.clearCookie('name', { ${option(random)}: ${v()} })`,
  (v) => `res.clearCookie('name', ${v()})`,
  (v) => `res.vary(${v()})`,
  (v) => `res.links({ [${v()}]: ${v()} })`,
  (v) => `res.links(${v()})`,
  (v, random) => `res.set(${random.pick(NAMES)}, ${v()})`,
  (v, random) => `res.set({ [${random.pick(NAMES)}]: ${v()} })`,
  (v) => `res.set(${v()}, ${v()})`,
  (v) => `res.set(${v()})`,
  (v, random) => `res.append(${random.pick(NAMES)}, ${v()})`,
  (v) => `res.type(${v()})`,
  (v) => `res.status(${v()})`,
  (v) => `res.attachment(${v()})`,
  (v) => `res.location(${v()})`,
  (v) => `res.removeHeader(${v()})`,
  (v) => `req.url = ${v()}`,
  (v) => `req.url = String(${v()})`,
  (v) => `req.headers.host = ${v()}`,
  (v) => `req.headers['x-forwarded-for'] = String(${v()})`,
  (v) => `req.headers.accept = ${v()}`,
  (v) => `req.headers['content-type'] = ${v()}`,
  (v) => `req.headers['if-none-match'] = ${v()}`,
  (v) => `req.headers.range = ${v()}`,
  (v) => `req.params = ${v()}`,
  (v) => `res.locals.odd = ${v()}`,
  (v, random) =>
    `req.app.set('json spaces', ${random.pick(['-1', '100', "'\\t'", 'NaN', "'longer than ten characters'", v()])})`,
  (v, random) => `req.app.set('jsonp callback name', ${random.pick(["'q'", "'cb'", v()])})`,
  (v, random) => `req.app.set('subdomain offset', ${random.pick(['0', '-1', '100', "'x'", 'NaN', v()])})`,
  (v) => `calls.push(seen(() => req.get(${v()})))`,
  (v) => `calls.push(seen(() => res.get(${v()})))`,
  (v) => `calls.push(seen(() => req.is(${v()})))`,
  (v) => `calls.push(seen(() => req.is(['json', ${v()}])))`,
  (v) => `calls.push(seen(() => req.accepts(${v()})))`,
  (v) => `calls.push(seen(() => req.accepts('json', ${v()})))`,
  (v) => `calls.push(seen(() => req.acceptsEncodings(${v()})))`,
  (v) => `calls.push(seen(() => req.acceptsCharsets(${v()})))`,
  (v) => `calls.push(seen(() => req.acceptsLanguages(${v()})))`,
  (v) => `calls.push(seen(() => req.range(${v()})))`,
  (v) => `calls.push(seen(() => req.range(10, ${v()})))`,
  (v) => `calls.push(seen(() => req.app.get(${v()})))`,
  (v) => `calls.push(seen(() => req.app.enabled(${v()})))`,
];

const statementOf = (among: readonly Statement[], random: Seeded): string => {
  const value = (): string => random.pick(random.chance(0.6) ? OF_REQUESTS : OF_PROGRAMS);
  return random.pick(among)(value, random);
};

/** @returns a statement that answers */
export const oddAnswer = (random: Seeded): string => statementOf(answers, random);

/** @returns a statement in front of an answer */
export const oddStep = (random: Seeded): string => statementOf(steps, random);

/** Settings for which it matters what a client sends. */
export const ODD_SETTINGS: readonly (readonly [name: string, source: string])[] = [
  ['trust proxy', 'true'],
  ['trust proxy', '1'],
  ['trust proxy', '2'],
  ['trust proxy', '0'],
  ['trust proxy', "'loopback'"],
  ['trust proxy', "'loopback, uniquelocal'"],
  ['trust proxy', "['127.0.0.1/8', '10.0.0.0/255.0.0.0', '::1']"],
  ['trust proxy', "(address, hop) => hop < 2 || address === '10.0.0.1'"],
  ['query parser', "'extended'"],
  ['query parser', "'extended'"],
  ['query parser', "'simple'"],
  ['query parser', 'false'],
  ['jsonp callback name', "'q'"],
  ['json escape', 'true'],
  ['subdomain offset', '0'],
  ['subdomain offset', '3'],
  ['etag', "'strong'"],
  ['strict routing', 'true'],
  ['case sensitive routing', 'true'],
];

/** Middleware, by its source. */
export const ODD_MIDDLEWARE: readonly string[] = [
  'express.json()',
  'express.json({ strict: false })',
  "express.json({ limit: '9b' })",
  "express.json({ type: '*/*' })",
  'express.json({ inflate: false })',
  "express.json({ type: ['json', '+json', 'text/*'] })",
  "express.json({ reviver: (key, value) => (key === '__proto__' ? undefined : value) })",
  'express.json({ verify: (req, res, octets, charset) => calls.push(String(charset)) })',
  'express.urlencoded({ extended: true })',
  'express.urlencoded({ extended: false })',
  'express.urlencoded({ extended: true, depth: 1 })',
  'express.urlencoded({ extended: true, parameterLimit: 2 })',
  "express.urlencoded({ extended: true, type: '*/*' })",
  'express.urlencoded({ extended: false, type: () => true, limit: 50 })',
  ...(version === 4
    ? []
    : [
        "express.urlencoded({ extended: true, charsetSentinel: true, interpretNumericEntities: true, defaultCharset: 'iso-8859-1' })",
        'express.urlencoded({ extended: false, charsetSentinel: true, interpretNumericEntities: true })',
      ]),
  'express.text()',
  "express.text({ type: '*/*', defaultCharset: 'latin1' })",
  "express.raw({ type: '*/*' })",
  "express.raw({ type: (req) => req.get('X-Odd') })",
  "require('cookie-parser')()",
  "require('cookie-parser')('secret')",
];

/** For the head of a program. */
export const ODD_HELPERS = `\
// Without what HTTP/2 does not have.
function sent(req) {
  return Object.fromEntries(Object.entries(req.headers).filter(([name]) => !/^(?:connection|keep-alive|upgrade)$/.test(name)));
}
function seen(look) {
  try {
    return written(look());
  } catch (error) {
    return 'threw ' + firstLine(String(error)) + ' ' + String(error && error.status);
  }
}
function written(value) {
  if (Array.isArray(value)) return Object.entries(value).map(([key, each]) => key + ':' + written(each)).join();
  if (typeof value === 'object' && value !== null) return JSON.stringify(value) + String(Object.getPrototypeOf(value) === null);
  return typeof value + ' ' + String(value);
}
function asked(req, res) {
  const { app } = req;
  const looks = {
    path: () => req.path, query: () => req.query, hostname: () => req.hostname, host: () => req.host,
    subdomains: () => req.subdomains, ip: () => req.ip, ips: () => req.ips, protocol: () => req.protocol, secure: () => req.secure,
    xhr: () => req.xhr, fresh: () => req.fresh, stale: () => req.stale, params: () => req.params, body: () => req.body,
    cookies: () => req.cookies, signed: () => req.signedCookies,
    is: () => [req.is('json'), req.is('html', 'urlencoded'), req.is(['text/*', '+json']), req.is('*/*'), req.is()],
    accepts: () => [req.accepts(), req.accepts('html', 'json'), req.accepts(['text/plain', 'image/*', 'application/json']), req.accepts('none')],
    encodings: () => [req.acceptsEncodings(), req.acceptsEncodings('gzip', 'br', 'identity')],
    charsets: () => [req.acceptsCharsets(), req.acceptsCharsets('utf-8', 'iso-8859-1')],
    languages: () => [req.acceptsLanguages(), req.acceptsLanguages('en', 'de-AT')],
    range: () => [req.range(10), req.range(10, { combine: true })],
    types: () => [req.range(10) && req.range(10).type],
    fields: () => [req.get('referrer'), req.get('X-Odd'), req.get('host'), req.header('__proto__')],
    back: () => [res.location('back').get('Location'), app.get('trust proxy fn')(req.ip, 0)],
  };
  res.json(Object.fromEntries(Object.entries(looks).map(([name, look]) => [name, seen(look)]).concat([['calls', calls.splice(0)]])));
}
`;
