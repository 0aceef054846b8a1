import type { Response } from 'express';
import { eachAsExpress, request, type Build, type Case } from '../../support/beside-express.js';

const answering =
  (answer: (res: Response) => unknown, settings: Record<string, unknown> = {}): Build =>
  (app) => {
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    app.use((_req, res) => void answer(res));
  };

const get = request('GET /');
const long = 'long text '.repeat(200);

const bodies: [string, unknown][] = [
  ['a text', 'Hello World!'],
  ['an empty text', ''],
  ['a text of many bytes a character', 'naïve 日本 🎉'],
  ['a long text', long],
  ['a long text of many bytes a character', '日本'.repeat(600)],
  ['half of a surrogate pair', 'broken \ud83c here'],
  ['a Buffer', Buffer.from('bytes')],
  ['an empty Buffer', Buffer.alloc(0)],
  ['a Uint8Array', new Uint8Array([72, 105])],
  ['a Uint16Array, whose elements are cut to bytes', new Uint16Array([0x4148, 0x4249])],
  ['a DataView, which has no elements', new DataView(new ArrayBuffer(4))],
  ['an object', { id: 1, name: '<b>&' }],
  ['an array', [1, 'two', null]],
  ['a number', 42],
  ['a boolean', true],
  ['null', null],
  ['nothing', undefined],
];

const refused: [string, unknown][] = [
  ['a bigint', 10n],
  ['a function', () => 1],
  ['a symbol', Symbol.iterator],
];

const settings: [string, Record<string, unknown>][] = [
  ['with weak tags', { etag: 'weak' }],
  ['with strong tags', { etag: 'strong' }],
  ['without tags', { etag: false }],
  [
    'with tags of its own',
    { etag: (body: unknown, encoding: unknown) => `"${Buffer.isBuffer(body)}-${String(encoding)}"` },
  ],
  ['with a function that makes no tag', { etag: () => undefined }],
];

const types: [string, (res: Response) => unknown][] = [
  ['a type named before', (res) => res.type('text/plain').send('x')],
  ['an extension named before', (res) => res.type('.json').send('{}')],
  ['an unknown extension', (res) => res.type('nobody-knows').send('x')],
  ['another charset', (res) => res.set('Content-Type', 'text/html; charset=iso-8859-1').send('é')],
  [
    'a type with other parameters',
    (res) => res.set('Content-Type', 'text/plain; format="flowed text"; level=1').send('x'),
  ],
  ['a type that has no charset', (res) => res.set('Content-Type', 'image/png').send('x')],
  ['a type in the case the handler wrote', (res) => res.setHeader('content-TYPE', 'text/css') && res.send('x')],
  ['a type of bytes', (res) => res.type('png').send(Buffer.from('x'))],
  ['an empty type', (res) => res.setHeader('Content-Type', '') && res.send('x')],
  ['a type that is none', (res) => res.setHeader('Content-Type', 'plain') && res.send('x')],
];

const statuses = [200, 201, 204, 205, 206, 301, 304, 404, 500].map((status): Case => ({
  name: `send with status ${status} sends only what that status allows`,
  app: answering((res) => res.status(status).send('body')),
  send: get,
}));

const conditional: [string, Record<string, string>, (res: Response) => unknown][] = [
  ['a matching tag', { 'If-None-Match': '"1"' }, (res) => res.set('ETag', '"1"').send('body')],
  ['a matching weak tag', { 'If-None-Match': 'W/"4-AvMBpHAbwZ9DCBhDdq9w1LArtqw"' }, (res) => res.send('body')],
  ['any tag', { 'If-None-Match': '*' }, (res) => res.send('body')],
  ['another tag', { 'If-None-Match': '"2"' }, (res) => res.set('ETag', '"1"').send('body')],
  [
    'a date that is late enough',
    { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    (res) => res.set('Last-Modified', 'Thu, 01 Jan 2015 00:00:00 GMT').send('body'),
  ],
  ['a matching tag and no-cache', { 'If-None-Match': '*', 'Cache-Control': 'no-cache' }, (res) => res.send('body')],
  ['a matching tag and an error', { 'If-None-Match': '*' }, (res) => res.status(500).send('body')],
];

eachAsExpress([
  ...bodies.flatMap(([name, body]) =>
    settings.map(([how, values]): Case => ({
      name: `send answers with ${name}, ${how}`,
      app: answering((res) => res.send(body), values),
      send: get,
    })),
  ),
  ...refused.flatMap(([name, body]) =>
    [settings[0], settings[2]].map(([how, values]): Case => ({
      name: `send throws for ${name}, ${how}`,
      app: answering((res) => res.send(body), values),
      send: get,
      shows: /ERR_INVALID_ARG_TYPE|toString/,
    })),
  ),
  ...types.map(([name, answer]): Case => ({ name: `send keeps ${name}`, app: answering(answer), send: get })),
  ...statuses,
  ...conditional.flatMap(([name, fields, answer]) =>
    ['GET', 'HEAD', 'POST', 'QUERY'].map((method): Case => ({
      name: `send answers ${method} with ${name}`,
      app: answering(answer),
      send: request(`${method} /`, fields),
    })),
  ),
  { name: 'send keeps a tag that is set', app: answering((res) => res.set('ETag', 'mine').send('x')), send: get },
  {
    name: 'send sets no length beside Transfer-Encoding',
    app: answering((res) => res.set('Transfer-Encoding', 'chunked').send('x')),
    send: get,
    shows: /Transfer-Encoding/,
  },
  ...[200, 204, 205, 304].map((status): Case => ({
    name: `send answers ${status} where Transfer-Encoding is set`,
    app: answering((res) => res.status(status).set('Transfer-Encoding', 'chunked').send('x')),
    send: get,
  })),
  {
    name: 'send repeated on a connection gives the same tag each time',
    app: answering((res) => res.send('same')),
    send: [0, 0, 0].map(() => request('GET /', { Connection: 'keep-alive' })).concat(get),
  },
  {
    name: 'send to HEAD has the fields without the body',
    app: answering((res) => res.send('body')),
    send: request('HEAD /'),
  },
  { name: 'sendStatus answers with the reason', app: answering((res) => res.sendStatus(404)), send: get },
  { name: 'sendStatus sends an unknown code as the text', app: answering((res) => res.sendStatus(799)), send: get },
  {
    name: 'status throws for a value that is not an integer',
    app: answering((res) => res.status('200' as unknown as number)),
    send: get,
    shows: /must be an integer/,
  },
  { name: 'status throws below 100', app: answering((res) => res.status(99)), send: get, shows: /greater than 99/ },
  { name: 'status throws above 999', app: answering((res) => res.status(1000)), send: get, shows: /less than 1000/ },
]);
