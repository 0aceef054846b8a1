module.exports = {
  wants: ['vite', 'express'],
  about: 'middleware mode with server rendering: the page, its client, a module, a source map, a missing file',
  folder: 'vite',
  clock: 'runs',
  seconds: 120,
  // The injected code contains tokens and the address of its socket.
  masks: [
    [/wsToken = "[^"]*"|const (hmrPort|port) = [^;]*|(\?|&)(t|v)=[\w-]+|token=[\w-]+/g, 'X'],
    [/(ETag|Content-Length|Last-Modified): .*/gi, ''],
    [/sourceMappingURL=.*/g, ''],
  ],
  files: {
    'index.html':
      '<!doctype html><html><body><div id="app"><!--app-html--></div><script type="module" src="/src/main.js"></script></body></html>',
    'src/main.js': 'import { text } from "./text.js";\ndocument.title = text;\n',
    'src/text.js': 'export const text = "hello";\n',
    'src/server.js': 'import { text } from "./text.js";\nexport const render = (url) => `<p>${text} ${url}</p>`;\n',
    'public/robots.txt': 'User-agent: *\n',
  },
  env: { NODE_ENV: 'development' },
  async start({ folder }) {
    const express = require('express');
    const fs = require('node:fs');
    const { createServer } = await import('vite');
    const app = express();
    const vite = await createServer({
      root: folder,
      configFile: false,
      server: { middlewareMode: true, allowedHosts: ['ecosystem.test'], hmr: false, ws: false },
      appType: 'custom',
      logLevel: 'silent',
      cacheDir: `${folder}/.vite`,
    });
    app.use(vite.middlewares);
    app.use(async (req, res) => {
      const page = await vite.transformIndexHtml(req.originalUrl, fs.readFileSync(`${folder}/index.html`, 'utf8'));
      const { render } = await vite.ssrLoadModule('/src/server.js');
      res.set('Content-Type', 'text/html').send(page.replace('<!--app-html-->', render(req.originalUrl)));
    });
    return app;
  },
  requests: [
    'GET /\nAccept: text/html',
    'GET /src/main.js',
    'GET /src/text.js',
    'GET /robots.txt',
    'GET /@vite/client',
    'GET /some/page\nAccept: text/html',
    'GET /src/none.js\nAccept: */*',
  ],
};
