import { asking, parity, request, type Row } from './stage.js';

const CONTENT_TYPES = [
  undefined,
  '',
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'text/html',
  'text/html;charset="utf 8"',
  'text/plain ; x',
  'image/svg+xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'text',
  'text/',
  '*/*',
  'text/html, application/json',
  'application/json;',
];

const ASKED: unknown[][] = [
  [],
  ['json'],
  ['.json'],
  ['html'],
  ['application/json'],
  ['application/*'],
  ['*/json'],
  ['*/*'],
  ['+json'],
  ['+xml'],
  ['application/*+json'],
  ['multipart'],
  ['urlencoded'],
  ['json', 'html', 'text/*'],
  [['html', 'json']],
  [[]],
  ['nobody-knows'],
  ['application/json; charset=utf-8'],
  [''],
  [false],
];

/** The presence of a body matters too: with a length, empty, in chunks, absent. */
const BODIES: readonly (readonly [string, Record<string, string>, string])[] = [
  ['a body', {}, '{}'],
  ['an empty body', { 'Content-Length': '0' }, ''],
  ['chunks', { 'Transfer-Encoding': 'chunked', 'Content-Length': undefined as never }, '2\r\n{}\r\n0\r\n\r\n'],
  ['no body', {}, ''],
];

const rows = BODIES.flatMap(([how, fields, body]) =>
  CONTENT_TYPES.map((type): Row => ({
    name: `${type === undefined ? 'no type' : `type "${type}"`} and ${how}`,
    send: request('POST /', { ...fields, 'Content-Type': type }, body),
  })),
);

parity(
  asking('req.is', (req) => ASKED.map((types) => (req.is as (...args: unknown[]) => unknown)(...types)), { rows }),
);
