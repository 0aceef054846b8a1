const event = (method, path, more = {}) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: 'a=1',
  headers: { host: 'api.example', 'x-one': '1' },
  requestContext: {
    http: { method, path, sourceIp: '10.0.0.1', protocol: 'HTTP/1.1' },
    domainName: 'api.example',
    stage: '$default',
  },
  isBase64Encoded: false,
  ...more,
});
module.exports = {
  wants: ['@codegenie/serverless-express', 'express'],
  about: 'events of a gateway: a page, a body, binary, an error; the same application over a socket',
  start() {
    const express = require('express');
    const app = express();
    app.get('/', (req, res) => res.json({ query: req.query, one: req.get('x-one'), url: req.originalUrl }));
    app.post('/echo', express.json(), (req, res) => res.cookie('a', '1').status(201).send(req.body));
    app.get('/image', (req, res) => res.type('png').send(Buffer.from([1, 2, 255])));
    app.get('/error', () => {
      throw new Error('broken');
    });
    module.exports.app = app;
    return app;
  },
  requests: ['GET /?a=1'],
  async play({ note }) {
    const serverlessExpress = require('@codegenie/serverless-express');
    const handler = (serverlessExpress.default ?? serverlessExpress)({
      app: module.exports.app,
      logSettings: { level: 'none' },
    });
    const told = ({ headers: { date, ...headers } = {}, ...rest }) => ({ headers, ...rest });
    note('page', told(await handler(event('GET', '/'), {})));
    note(
      'echo',
      told(
        await handler(
          event('POST', '/echo', {
            body: '{"a":1}',
            headers: { 'content-type': 'application/json', 'content-length': '7' },
          }),
          {},
        ),
      ),
    );
    note('image', told(await handler(event('GET', '/image'), {})));
    note('error', told(await handler(event('GET', '/error'), {})));
    note('none', told(await handler(event('GET', '/nowhere'), {})));
  },
};
