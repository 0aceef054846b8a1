module.exports = {
  wants: ['pug', 'express'],
  about: 'a layout with a block, a mixin, locals of the application',
  files: {
    'views/layout.pug': 'html\n  body\n    block content\n',
    'views/index.pug':
      'extends layout\nmixin item(n)\n  li= n\nblock content\n  h1= title\n  ul\n    each n in list\n      +item(n)\n',
  },
  start({ folder }) {
    const express = require('express');
    const app = express();
    app.set('view engine', 'pug').set('views', `${folder}/views`);
    app.locals.title = 'Hey';
    app.get('/', (req, res) => res.render('index', { list: [1, 2] }));
    app.get('/locals', (req, res) => {
      res.locals.title = 'of the response';
      res.render('index', { list: [] });
    });
    return app;
  },
  requests: ['GET /', 'GET /locals', 'HEAD /'],
};
