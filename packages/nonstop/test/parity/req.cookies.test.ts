import { createHmac } from 'node:crypto';
import type express = require('express');
import { asking, parities, pipelined, type Program } from './stage.js';

const cookieParser = require('cookie-parser') as (
  secret?: string | string[],
  options?: object,
) => express.RequestHandler;

/** A value, signed as `res.cookie` signs it. */
const signed = (value: string, secret: string): string =>
  encodeURIComponent(`s:${value}.${createHmac('sha256', secret).update(value).digest('base64').replace(/=+$/, '')}`);

const COOKIES = [
  undefined,
  '',
  'a=1',
  'a=1; b=2',
  'a=1;b=2; a=3',
  'a="quoted"',
  'a=%20%C3%A9',
  'a=%zz',
  'a',
  '=1',
  'a=b=c',
  ' a = 1 ',
  '__proto__=1; constructor=2',
  `a=${signed('value', 'one')}`,
  `a=${signed('value', 'two')}`,
  `a=${signed('value', 'three')}; b=2`,
  'a=s:unsigned',
  'a=s%3Avalue.wrong',
  `j=${encodeURIComponent('j:{"a":[1]}')}`,
  `j=${encodeURIComponent('j:{')}`,
  `j=${signed('j:{"a":1}', 'one')}`,
];

const SECRETS: readonly (readonly [string, express.RequestHandler | undefined])[] = [
  ['without cookie-parser', undefined],
  ['by cookie-parser', cookieParser()],
  ['by cookie-parser with a secret', cookieParser('one')],
  ['by cookie-parser with two secrets', cookieParser(['one', 'two'])],
  ['by cookie-parser with options', cookieParser('one', { decode: (text: string) => `decoded ${text}` })],
];

parities(
  SECRETS.map(([how, parser]): Program =>
    asking(
      `req.cookies and signedCookies ${how}`,
      (req) => {
        const { cookies, signedCookies, secret } = req as { cookies: object; signedCookies: object; secret?: string };
        return [req.headers.cookie, cookies, signedCookies, secret, 'cookies' in req, Object.hasOwn(req, 'cookies')];
      },
      {
        setup: (app) => {
          if (parser !== undefined) app.use(parser);
          app.use('/set', (req, res, next) => {
            // A cookie of one answer is sent with another request: setting and reading must agree about signatures.
            if ((req as { secret?: string }).secret !== undefined) res.cookie('a', { b: [1] }, { signed: true });
            next();
          });
        },
        rows: pipelined(
          COOKIES.flatMap(
            (Cookie) =>
              [
                ['GET /', { Cookie }],
                ['GET /set', { Cookie }],
              ] as const,
          ),
        ),
      },
    ),
  ),
);
