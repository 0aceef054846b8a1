module.exports = {
  wants: ['mountebank'],
  about:
    'its pages and API, an imposter with predicates, an injection, a binary body, recorded requests, changed stubs',
  folder: 'mountebank',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  chunks: false,
  masks: [
    [/127\.0\.0\.1:\d+|ecosystem\.test(:\d+)?/g, 'HOST'],
    [/"(port|uptime|pid|rss|heapTotal|heapUsed|external|arrayBuffers)": [\d.]+/g, '"$1"'],
    [/"timestamp": "[^"]*"/g, 'T'],
    [/\/imposters\/\d+/g, '/imposters/N'],
    [/ETag: .*|Content-Length: .*/gi, ''],
  ],
  async start({ folder }) {
    const net = require('node:net');
    const port = await new Promise((resolve) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
    const log = { level: 'error', transports: { console: { colorize: false, format: '%level: %message' } } };
    const options = {
      port,
      host: '127.0.0.1',
      localOnly: true,
      allowInjection: true,
      nologfile: true,
      loglevel: 'error',
      log,
      ipWhitelist: ['*'],
      pidfile: `${folder}/mb.pid`,
    };
    await require('mountebank').create(options);
    return { port };
  },
  async play({ send, note }) {
    const http = require('node:http');
    const json = (line, value) => send(`${line}\nContent-Type: application/json\n\n${JSON.stringify(value)}`);
    await send('GET /\nAccept: application/json');
    await send('GET /docs/overview\nAccept: text/html');
    await send('GET /images/mountebank.png\nRange: bytes=0-9');
    await send('GET /none');
    await send('PATCH /imposters');
    await send('POST /imposters\nContent-Type: application/json\n\n{"port":');
    await json('POST /imposters', { protocol: 'none' });
    const stubs = [
      {
        predicates: [{ equals: { path: '/a' } }],
        responses: [{ is: { statusCode: 201, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, body: 'stubbed' } }],
      },
      {
        predicates: [{ equals: { path: '/injected' } }],
        responses: [{ inject: '(config) => ({ body: config.request.method + JSON.stringify(config.request.query) })' }],
      },
      { predicates: [{ equals: { path: '/binary' } }], responses: [{ is: { body: 'AAECAw==', _mode: 'binary' } }] },
    ];
    const made = JSON.parse((await json('POST /imposters', { protocol: 'http', recordRequests: true, stubs })).text);
    const ask = (method, path, body) =>
      new Promise((resolve, reject) => {
        const request = http.request({ host: '127.0.0.1', port: made.port, method, path, agent: false }, (response) => {
          const parts = [];
          response.on('data', (part) => parts.push(part));
          response.on('end', () => {
            const { statusCode, headers } = response;
            resolve([statusCode, { ...headers, date: undefined }, Buffer.concat(parts).toString('latin1')]);
          });
        });
        request.on('error', reject).end(body);
      });
    for (const [method, path, body] of [
      ['GET', '/a'],
      ['HEAD', '/a'],
      ['GET', '/injected?a=1&a=2'],
      ['GET', '/binary'],
      ['POST', '/other', 'a body'],
    ])
      note(`${method} ${path}`, await ask(method, path, body));
    await send(`GET /imposters/${made.port}?replayable=true\nAccept: application/json`);
    await json(`POST /imposters/${made.port}/stubs`, { index: 0, stub: { responses: [{ is: { body: 'first' } }] } });
    note('the added stub', await ask('GET', '/a'));
    await send(`DELETE /imposters/${made.port}/stubs/99`);
    await send(`DELETE /imposters/${made.port}`);
    await send('GET /imposters/1');
    await send('GET /config\nAccept: application/json');
  },
};
