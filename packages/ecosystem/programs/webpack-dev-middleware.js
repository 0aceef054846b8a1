module.exports = {
  wants: ['webpack-dev-middleware', 'webpack-hot-middleware', 'webpack', 'express'],
  about: 'a bundle from memory, its source map, ranges, the index, the stream of hot replacement',
  folder: 'webpack',
  clock: 'runs',
  seconds: 120,
  chunks: false,
  masks: [
    [/"(time|hash|modules)":[^,]*/g, '"$1":X'],
    [/(ETag|Content-Length): .*/gi, ''],
  ],
  env: { NODE_ENV: 'development' },
  files: { 'src/index.js': 'console.log("hello");\n' },
  async start({ folder }) {
    const express = require('express');
    const webpack = require('webpack');
    const dev = require('webpack-dev-middleware');
    const hot = require('webpack-hot-middleware');
    const compiler = webpack({
      mode: 'development',
      context: folder,
      entry: './src/index.js',
      output: { path: `${folder}/dist`, publicPath: '/assets/' },
      devtool: 'source-map',
      plugins: [new webpack.HotModuleReplacementPlugin()],
    });
    const middleware = (dev.default ?? dev)(compiler, { headers: { 'X-Dev': '1' }, index: 'main.js' });
    const app = express();
    app.use(middleware);
    app.use(hot(compiler, { log: false }));
    app.get('/', (req, res) => res.send('a page'));
    await new Promise((resolve) => middleware.waitUntilValid(resolve));
    return app;
  },
  requests: [
    'GET /',
    'GET /assets/main.js.map',
    'HEAD /assets/main.js',
    'GET /assets/main.js\nRange: bytes=0-9',
    'GET /assets/none.js',
    'POST /assets/main.js',
  ],
  async play({ note, port }) {
    const http = require('node:http');
    const first = await new Promise((resolve) =>
      http.get({ port, path: '/__webpack_hmr' }, (res) => {
        let text = '';
        res.on('data', (data) => {
          text += data;
          if (!text.includes('sync')) return;
          res.destroy();
          resolve([res.statusCode, res.headers['content-type'], text.includes('💓') || text.includes('sync')]);
        });
      }),
    );
    note('events', first);
  },
};
