import { eachAsExpress, request, type Case } from '../support/beside-express.js';
import type express = require('express');
import parseurl = require('parseurl');

type Fields = Record<string, string>;

/** Members without arguments. */
const GETTERS = [
  'protocol',
  'secure',
  'ip',
  'ips',
  'subdomains',
  'host',
  'hostname',
  'path',
  'query',
  'fresh',
  'stale',
  'xhr',
  'baseUrl',
  'originalUrl',
];

/** All members of a request, or the error that one throws. */
function portrait(req: express.Request): Record<string, unknown> {
  const read = (name: string): unknown => {
    try {
      return (req as unknown as Record<string, unknown>)[name] ?? 'nothing';
    } catch (error) {
      return String(error);
    }
  };
  return Object.fromEntries(GETTERS.map((name) => [name, read(name)]));
}

interface Settings {
  readonly [name: string]: unknown;
}

const settings: Record<string, Settings> = {
  'no settings': {},
  'trust proxy': { 'trust proxy': true },
  'one trusted hop': { 'trust proxy': 1 },
  'trusted loopback': { 'trust proxy': 'loopback, 10.0.0.0/8' },
  'a list of trusted addresses': { 'trust proxy': ['127.0.0.1', '10.0.0.2'] },
  'a trust function': { 'trust proxy': (address: string, hop: number) => hop < 2 || address === '10.0.0.1' },
  'extended queries': { 'query parser': 'extended' },
  'no queries': { 'query parser': false },
  'a query parser': { 'query parser': (text: string) => ({ text }) },
  'another subdomain offset': { 'subdomain offset': 1 },
};

const messages: readonly (readonly [line: string, fields: Fields])[] = [
  ['GET /a/b?x=1&x=2&y[z]=3&__proto__=4', { Host: 'tobi.ferrets.example.com:3000' }],
  ['GET /?', { Host: '[::1]:80', 'X-Requested-With': 'XMLHttpRequest' }],
  ['GET /%20?a=%zz#frag', { Host: '127.0.0.1:8080' }],
  ['GET http://other.example/path?q', { Host: 'example.com' }],
  [
    'GET //double//?q=?',
    {
      'X-Forwarded-For': '10.0.0.1, 10.0.0.2, 10.0.0.3',
      'X-Forwarded-Proto': 'https, http',
      'X-Forwarded-Host': 'first.example:81, second.example',
    },
  ],
  ['GET /', { 'X-Forwarded-For': 'rubbish', 'X-Forwarded-Proto': '', 'X-Forwarded-Host': ' spaced.example , x' }],
  ['GET /', { Host: '' }],
  ['GET /', { 'If-None-Match': '"tag"' }],
  ['GET /', { 'If-None-Match': '*', 'Cache-Control': 'no-cache' }],
  ['POST /', { 'If-None-Match': '*' }],
  ['GET /', { 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
];

const portraits: Case[] = Object.entries(settings).map(([name, values]) => ({
  name: `a request has the same properties as in Express, with ${name}`,
  app: (app, _kit, note) => {
    for (const [setting, value] of Object.entries(values)) app.set(setting, value);
    app.use((req, res) => {
      res.set('ETag', '"tag"').set('Last-Modified', 'Sat, 01 Jan 2000 00:00:00 GMT');
      note(portrait(req));
      res.status(404);
      note([req.fresh, req.stale]);
      res.end();
    });
  },
  send: messages.map(([line, fields], i) =>
    request(line, i < messages.length - 1 ? { Connection: 'keep-alive', ...fields } : fields),
  ),
}));

/** Calls of methods on a request with these fields. */
const FIELDS: Fields = {
  Accept: 'text/*;q=.5, application/json, text/html;level=1',
  'Accept-Encoding': 'gzip;q=0.5, br, identity;q=0',
  'Accept-Charset': 'utf-8, iso-8859-1;q=0.2',
  'Accept-Language': 'de;q=.8, en-GB',
  'Content-Type': 'application/vnd.api+json; charset=utf-8',
  Referer: 'http://from.example/',
  Range: 'bytes=0-9,20-29,25-',
  'X-Twice': 'a',
};

const questions: Record<string, (req: express.Request) => unknown> = {
  accepts: (req) => [
    req.accepts(),
    req.accepts('json'),
    req.accepts('html', 'json'),
    req.accepts(['text', 'png']),
    req.accepts('image/png'),
  ],
  acceptsEncodings: (req) => [
    req.acceptsEncodings(),
    req.acceptsEncodings('gzip', 'br'),
    req.acceptsEncodings(['identity']),
  ],
  acceptsCharsets: (req) => [
    req.acceptsCharsets(),
    req.acceptsCharsets('utf-16'),
    req.acceptsCharsets(['iso-8859-1', 'utf-8']),
  ],
  acceptsLanguages: (req) => [req.acceptsLanguages(), req.acceptsLanguages('en', 'de'), req.acceptsLanguages(['fr'])],
  is: (req) => [
    req.is('json'),
    req.is('+json'),
    req.is(['html', 'application/*']),
    (req.is as (...types: string[]) => unknown)('text/*', '*/*'),
  ],
  range: (req) => [req.range(100), req.range(5), req.range(100, { combine: true })],
  get: (req) => [req.get('referrer'), req.header('REFERER'), req.get('X-Twice'), req.get('absent')],
  'get without a name': (req) => (req.get as () => unknown)(),
  'get with a number': (req) => (req.get as unknown as (name: number) => unknown)(7),
  'is on an instance': (req) => Object.keys(req).includes('body'),
};

const answers: Case[] = Object.entries(questions).map(([name, ask]) => ({
  name: `a method of the request gives the same result as in Express: ${name}`,
  app: (app, _kit, note) => {
    app.use((req, res) => {
      note(ask(req));
      res.end();
    });
  },
  send: [request('POST /', { ...FIELDS, Connection: 'keep-alive' }, '{}'), request('POST /', {}, '')],
}));

const parsed: Case[] = [
  {
    name: 'middleware finds the same _parsedUrl as in Express',
    app: (app, _kit, note) => {
      const see = (req: express.Request): void => {
        const url = (req as unknown as { _parsedUrl: Record<string, unknown> })._parsedUrl;
        note([url['pathname'], url['search'], url['query'], url['href']]);
      };
      app.use('/mount', (req, _res, next) => {
        see(req);
        next();
      });
      app.use((req, res) => {
        see(req);
        (req as unknown as { _parsedUrl: unknown })._parsedUrl = 'mine';
        res.end((req as unknown as { _parsedUrl: string })._parsedUrl);
      });
    },
    send: request('GET /mount/x?q=1'),
    shows: /mine/,
  },
  {
    name: 'what parseurl keeps in a mounted handler, or a program writes, is of that url alone',
    app: (app, _kit, note) => {
      type Parsed = { _parsedUrl: { pathname: string } | null | undefined | false };
      const see = (req: express.Request): void => {
        const kept = (req as unknown as Parsed)._parsedUrl;
        note(kept ? kept.pathname : kept);
      };
      const nothing = [null, undefined, false] as const;
      app.use('/mount', (req, _res, next) => {
        parseurl(req);
        see(req);
        next();
      });
      for (const value of nothing) {
        app.use('/mount', (req, _res, next) => {
          see(req);
          (req as unknown as Parsed)._parsedUrl = value;
          see(req);
          next();
        });
      }
      app.use('/mount', (req, _res, next) => {
        req.url = '/other?q';
        (req as unknown as Parsed)._parsedUrl = undefined;
        next();
      });
      app.use((req, res) => {
        see(req);
        (req as unknown as Parsed)._parsedUrl = { pathname: 'mine' };
        see(req);
        res.end('seen');
      });
    },
    send: request('GET /mount/x?q=1'),
    shows: /seen/,
  },
  {
    name: 'a listener for the end of a response that no handler has sent finds the same _parsedUrl as in Express',
    app: (app, _kit, note) => {
      app.use((req, res, next) => {
        res.on('finish', () => note((req as unknown as { _parsedUrl?: { pathname: string } })._parsedUrl?.pathname));
        next();
      });
    },
    send: request('GET /none?q=1'),
    shows: /\["\/none"\]/,
  },
];

eachAsExpress([...portraits, ...answers, ...parsed]);
