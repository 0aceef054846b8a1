// node invoke.js GET '/hello/ada?x=1': calls the function with an event as API Gateway (HTTP API, version 2.0) sends it.
import { handler } from './lambda.js';

const [method = 'GET', target = '/hello/ada', body] = process.argv.slice(2);
const { pathname, search, searchParams } = new URL(target, 'http://localhost');

const event = {
  version: '2.0',
  routeKey: '$default',
  rawPath: pathname,
  rawQueryString: search.slice(1),
  queryStringParameters: Object.fromEntries(searchParams),
  headers: { host: 'localhost', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  requestContext: {
    http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'invoke.js' },
    stage: '$default',
  },
  body,
  isBase64Encoded: false,
};

console.log(JSON.stringify(await handler(event, {}), null, 2));
