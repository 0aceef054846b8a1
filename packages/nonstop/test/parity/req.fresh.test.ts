import { asking, parities, pipelined, requests, type Program } from './stage.js';

const OLD = 'Sat, 01 Jan 2000 00:00:00 GMT';
const NEW = 'Tue, 01 Jan 2030 00:00:00 GMT';

const CONDITIONS: readonly Record<string, string>[] = [
  {},
  { 'If-None-Match': '"tag"' },
  { 'If-None-Match': 'W/"tag"' },
  { 'If-None-Match': '"other"' },
  { 'If-None-Match': '"other", "tag"' },
  { 'If-None-Match': ' W/"other" ,W/"tag" ' },
  { 'If-None-Match': '*' },
  { 'If-None-Match': '' },
  { 'If-None-Match': 'tag' },
  { 'If-None-Match': '"TAG"' },
  { 'If-Modified-Since': OLD },
  { 'If-Modified-Since': NEW },
  { 'If-Modified-Since': 'some day' },
  { 'If-Modified-Since': '' },
  { 'If-None-Match': '"tag"', 'If-Modified-Since': OLD },
  { 'If-None-Match': '"other"', 'If-Modified-Since': NEW },
  { 'If-None-Match': '"tag"', 'Cache-Control': 'no-cache' },
  { 'If-None-Match': '"tag"', 'Cache-Control': 'max-age=0, No-Cache' },
  { 'If-None-Match': '"tag"', 'Cache-Control': 'no-cachet' },
  { 'If-None-Match': '"tag"', Pragma: 'no-cache' },
];

const ANSWERS: readonly (readonly [string, number, Record<string, string>])[] = [
  ['a tag', 200, { ETag: '"tag"' }],
  ['a weak tag', 206, { ETag: 'W/"tag"' }],
  ['a date', 200, { 'Last-Modified': 'Mon, 01 Jan 2018 00:00:00 GMT' }],
  ['a tag and a date, with status 304', 304, { ETag: '"tag"', 'Last-Modified': 'Mon, 01 Jan 2018 00:00:00 GMT' }],
  ['a tag, with status 300', 300, { ETag: '"tag"' }],
  ['a tag, with status 404', 404, { ETag: '"tag"' }],
  ['a tag, and a status that is no number', Number.NaN, { ETag: '"tag"' }],
  ['neither', 299, {}],
];

const METHODS = ['GET', 'HEAD', 'POST'];

/** Express looks at the fields last, and only if method and status allow a fresh answer. */
const withoutFields = asking(
  'req.fresh with a status that is never fresh, of a request whose list of fields is gone',
  (req) => {
    req.rawHeaders = undefined as never;
    req.res!.statusCode = 404;
    return req.fresh;
  },
  { rows: requests([['GET /', { 'If-None-Match': '"tag"' }]]) },
);

/** `res.send` asks for nothing else where a request has no condition. */
const defined = asking(
  'req.fresh of a request whose headers a program has defined',
  (req) => {
    Object.defineProperty(req, 'headers', { value: { 'if-none-match': '*' } });
    req.res!.set('ETag', '"tag"');
    return req.fresh;
  },
  { rows: requests([['GET /', {}]]) },
);

parities([
  defined,
  ...ANSWERS.map(([name, status, fields]): Program =>
    asking(
      `req.fresh and stale where the answer has ${name}`,
      (req) => {
        req.res!.statusCode = status;
        req.res?.set(fields).set('X-Fresh', String([req.fresh, req.stale]));
        // Where nothing is fresh, all answers are equal except for the request in them.
        req.res?.set('X-Asked', encodeURIComponent(String(req.get('If-None-Match'))));
        const { fresh } = req;
        if (Number.isNaN(status)) req.res!.statusCode = 200;
        return fresh;
      },
      {
        rows: METHODS.flatMap((method) =>
          pipelined(CONDITIONS.map((condition) => [`${method} /`, condition] as const)),
        ),
      },
    ),
  ),
  withoutFields,
]);
