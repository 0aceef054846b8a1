import type express = require('express');
import { asking, parities, requests } from './stage.js';

/** Values of a field, one request for each, and one request without the field. */
const valuesOf = (field: string, values: readonly string[]) =>
  requests([['GET /'], ...values.map((value) => ['GET /', { [field]: value }] as const)]);

type Ask = (...types: unknown[]) => unknown;

/** Calls a method with each list of arguments. */
const each = (req: express.Request, method: string, lists: readonly unknown[][]): unknown =>
  lists.map((list) => (req as unknown as Record<string, Ask>)[method](...list));

const TYPES: unknown[][] = [
  [],
  ['json'],
  ['html'],
  ['text/html'],
  ['html', 'json'],
  ['json', 'html'],
  [['json', 'text']],
  ['text/plain', 'application/json'],
  ['png', '.png', 'image/*'],
  ['image/png'],
  ['nobody-knows'],
  ['application/vnd.api+json', 'json'],
  ['text/html;level=1', 'text/html'],
  [''],
  ['*/*'],
  [[]],
  [undefined],
];

const ENCODINGS: unknown[][] = [
  [],
  ['gzip'],
  ['br'],
  ['identity'],
  ['gzip', 'br'],
  [['deflate', 'gzip']],
  ['br', 'identity'],
  ['x-mine'],
  ['GZIP'],
];

const CHARSETS: unknown[][] = [[], ['utf-8'], ['UTF-8'], ['iso-8859-1', 'utf-8'], [['utf-16', 'utf-8']], ['koi8-r']];

const LANGUAGES: unknown[][] = [[], ['en'], ['en-US'], ['de', 'en'], [['fr', 'de']], ['en-us', 'en-gb'], ['x'], ['EN']];

parities([
  asking('req.accepts', (req) => each(req, 'accepts', TYPES), {
    rows: valuesOf('Accept', [
      '',
      '*/*',
      'text/*',
      'application/json',
      'text/html, application/json',
      'text/html;q=0.5, application/json',
      'application/json;q=0.2, text/*;q=0.8, image/png;q=0.5',
      'text/html;level=1;q=0.9, text/html;q=0.4',
      'text/html;q=0',
      'text/html;q=0, */*',
      '*/*;q=0.1, text/plain',
      'image/*',
      'application/*+json',
      'application/vnd.api+json',
      'TEXT/HTML',
      'text/html;q=1.5',
      'text/html;q=x',
      'text/html;charset=utf-8',
      'text/html; q = 0.3 , application/json ; q=.7',
      'text/html;level="1"',
      'text/html,,application/json',
      'text',
      'text/',
      '/',
      ', ,',
      'application/signed-exchange;v=b3;q=0.9, text/html, application/xhtml+xml',
      'text/html;q=0.50, application/json;q=0.5',
    ]),
  }),
  asking('req.acceptsEncodings', (req) => each(req, 'acceptsEncodings', ENCODINGS), {
    rows: valuesOf('Accept-Encoding', [
      '',
      '*',
      'gzip',
      'gzip, deflate, br',
      'gzip;q=0.5, br;q=0.8',
      'gzip;q=0',
      'identity;q=0',
      '*;q=0',
      'gzip, *;q=0',
      'GZIP, Br',
      'x-mine',
      'br;q=0.1, identity;q=0.9',
      'gzip;q=2',
      'gzip;;q=1',
      'gzip , , br',
      'zstd, gzip',
    ]),
  }),
  asking('req.acceptsCharsets', (req) => each(req, 'acceptsCharsets', CHARSETS), {
    rows: valuesOf('Accept-Charset', [
      '',
      '*',
      'utf-8',
      'utf-8, iso-8859-1;q=0.5',
      'iso-8859-1, *;q=0.1',
      'utf-8;q=0, *',
      'UTF-16, utf-8;q=0.2',
      'utf-8;q=bad',
      'koi8-r;q=0.3, iso-8859-1;q=0.3',
      ' utf-8 ; q=0.7',
    ]),
  }),
  asking('req.acceptsLanguages', (req) => each(req, 'acceptsLanguages', LANGUAGES), {
    rows: valuesOf('Accept-Language', [
      '',
      '*',
      'en',
      'en-US',
      'en-US, en;q=0.5',
      'de;q=0.8, en-GB',
      'fr, *;q=0.1',
      'en;q=0, *',
      'EN-us',
      'de-AT-1996, de;q=0.9',
      'en; q=.4',
      '-',
      'en_US',
      'de,fr,en',
    ]),
  }),
]);
