module.exports = {
  wants: ['webpack-dev-server', 'webpack'],
  about: 'bundles, files, a folder, history fallback, a proxy, routes of its own, refused hosts, its socket',
  folder: 'webpack-dev-server',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  chunks: false,
  first: 'GET /the-first',
  masks: [[/"hash","data":"\w+"/g, 'H']],
  files: {
    'wds/src.js': 'console.log("hello");\n',
    'wds/public/index.html': '<h1>page</h1>',
    'wds/public/a.txt': 'a file of several words\n',
    'wds/public/folder/b.txt': 'b',
  },
  async start({ folder }) {
    const http = require('node:http');
    const fs = require('node:fs');
    const { once } = require('node:events');
    for (const name of ['index.html', 'a.txt', 'folder/b.txt', 'folder'])
      fs.utimesSync(`${folder}/wds/public/${name}`, 1e9, 1e9);
    const upstream = http.createServer((req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      req.resume().on('end', () => res.end(`${req.method} ${req.url} upstream`));
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const webpack = require('webpack');
    const DevServer = require('webpack-dev-server');
    const compiler = webpack({
      mode: 'development',
      devtool: false,
      context: `${folder}/wds`,
      entry: './src.js',
      stats: 'none',
      infrastructureLogging: { level: 'none' },
    });
    const options = {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: ['ecosystem.test'],
      client: { webSocketURL: 'ws://ecosystem.test/ws' },
      compress: true,
      headers: { 'X-Dev': 'yes' },
      historyApiFallback: { rewrites: [{ from: /^\/old/, to: '/a.txt' }] },
      static: { directory: `${folder}/wds/public`, serveIndex: true },
      proxy: [
        {
          context: ['/api'],
          target: `http://127.0.0.1:${upstream.address().port}`,
          pathRewrite: { '^/api': '' },
          bypass: (req) => (req.url.endsWith('/bypass') ? '/a.txt' : undefined),
        },
      ],
      setupMiddlewares(middlewares, { app }) {
        app.get('/extra/:id', (req, res) => res.json({ id: req.params.id, ip: req.ip }));
        middlewares.push({ name: 'last', path: '/last', middleware: (req, res) => res.send(`last ${req.url}`) });
        return middlewares;
      },
    };
    const dev = new DevServer(options, compiler);
    await dev.start();
    return dev.server;
  },
  requests: [
    'GET /main.js',
    'GET /main.js\nRange: bytes=0-19',
    'GET /main.js\nAccept-Encoding: gzip',
    'HEAD /main.js',
    'GET /\nAccept: text/html',
    'GET /a.txt',
    'GET /a.txt\nRange: bytes=2-5',
    'GET /folder',
    'GET /folder/\nAccept: text/html',
    'GET /some/page\nAccept: text/html',
    'GET /none',
    'GET /old/one\nAccept: text/html',
    'GET /extra/5',
    'GET /last/one?two',
    'GET /api/one?two=3',
    'POST /api/two\nContent-Type: text/plain\n\na body',
    'GET /api/bypass',
    'GET /webpack-dev-server',
    'GET /\nHost: other.example',
    'GET /main.js\nSec-Fetch-Mode: no-cors\nSec-Fetch-Site: cross-site',
  ],
  async play({ note, port }) {
    const { WebSocket } = require('ws');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { Host: 'ecosystem.test' },
      origin: 'http://ecosystem.test',
    });
    const heard = [];
    await new Promise((resolve) => {
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data));
        heard.push(type);
        if (type === 'ok') resolve();
      });
      socket.on('error', (error) => resolve(heard.push(error.message)));
    });
    note('heard', heard);
    socket.close();
    const refused = new WebSocket(`ws://127.0.0.1:${port}/ws`, { origin: 'http://other.example' });
    const words = [];
    refused.on('message', (data) => words.push(JSON.parse(String(data)).data ?? null));
    refused.on('error', (error) => words.push(error.message));
    await new Promise((resolve) => refused.on('close', resolve));
    note('another origin', words);
  },
};
