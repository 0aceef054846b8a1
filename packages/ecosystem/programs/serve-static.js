module.exports = {
  wants: ['serve-static', 'express'],
  about: 'files, index, ranges, conditions, redirects, custom fields, a fallthrough',
  files: {
    'public/index.html': '<h1>index</h1>',
    'public/a.txt': 'abcdefghij',
    'public/sub/index.htm': 'sub',
    'public/.hidden': 'x',
  },
  start({ folder }) {
    const express = require('express');
    const serveStatic = require('serve-static');
    const app = express();
    app.use(
      '/dl',
      serveStatic(`${folder}/public`, {
        index: false,
        setHeaders: (res, path) =>
          res.setHeader('Content-Disposition', `attachment; filename="${path.split('/').pop()}"`),
      }),
    );
    app.use('/strict', serveStatic(`${folder}/public`, { fallthrough: false }));
    app.use(serveStatic(`${folder}/public`, { index: ['index.html', 'index.htm'], maxAge: '1d' }));
    return app;
  },
  requests: [
    'GET /',
    'GET /a.txt',
    'HEAD /a.txt',
    'GET /a.txt\nRange: bytes=2-4',
    'GET /a.txt\nRange: bytes=0-1,4-5',
    'GET /a.txt\nRange: bytes=90-',
    'GET /sub',
    'GET /sub/',
    'GET /.hidden',
    'GET /a.txt\nIf-Modified-Since: Sun, 01 Jun 2026 00:00:00 GMT',
    'GET /dl/a.txt',
    'GET /dl/',
    'GET /strict/none',
    'POST /strict/a.txt',
    'POST /a.txt',
    'GET /%2e%2e/x',
    'GET /a%00b',
  ],
};
