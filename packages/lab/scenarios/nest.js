'use strict';

const { asExpressAnswers, variedRequest } = require('../scenario-parts.js');

/** A controller of Nest with a guard, a pipe and a service, on platform-express: as it is, and with `nonstop/register`. */
module.exports = {
  name: 'nest',
  title: 'a Nest controller, guard and pipe',
  onDemand: [
    '@nestjs/common@^12.5.1',
    '@nestjs/core@^12.5.1',
    '@nestjs/platform-express@^12.5.1',
    'reflect-metadata@^0.2.2',
    'rxjs@^7.8.2',
  ],
  request: variedRequest('/items/7'),
  load: { varied: true },
  expected: asExpressAnswers({
    type: 'application/json',
    etag: 'W/"29-p1jWcdxOA0QA6iR2VeJ9hp7bY60"',
    body: '{"id":7,"name":"item 7","tags":["a","b"]}',
  }),
  peers: { 'Express 5': { file: 'nest/express.js' }, Nonstop: { file: 'nest/nonstop.js' } },
};
