module.exports = {
  wants: ['json-server@0.17'],
  about: 'the whole application as a module: resources, filters, pages, changes, custom routes',
  folder: 'json-server',
  start({ folder }) {
    const jsonServer = require('json-server');
    const server = jsonServer.create();
    const router = jsonServer.router({
      posts: [
        { id: 1, title: 'a', author: 'ann' },
        { id: 2, title: 'b', author: 'ben' },
      ],
      comments: [{ id: 1, postId: 1 }],
      profile: { name: 'x' },
    });
    server.use(jsonServer.defaults({ logger: false }));
    server.get('/echo', (req, res) => res.jsonp(req.query));
    server.use(jsonServer.rewriter({ '/blog/*': '/$1' }));
    server.use(jsonServer.bodyParser);
    server.use('/', router);
    return server;
  },
  masks: [[/Last-Modified: .*/g, '']],
  requests: [
    'GET /',
    'GET /posts',
    'GET /posts/1',
    'GET /posts/9',
    'GET /posts?author=ben&_embed=comments',
    'GET /posts?_page=1&_limit=1',
    'POST /posts\nContent-Type: application/json\n\n{"title":"c"}',
    'PATCH /posts/1\nContent-Type: application/json\n\n{"title":"z"}',
    'DELETE /posts/2',
    'GET /blog/posts',
    'GET /echo?callback=f&a=1',
    'GET /db',
    'GET /posts\nIf-None-Match: x\nOrigin: https://a.example',
    'OPTIONS /posts\nOrigin: https://a.example\nAccess-Control-Request-Method: PUT',
    'PUT /profile\nContent-Type: application/json\n\n{"name":"y"}',
  ],
};
