module.exports = {
  wants: ['mustache-express', 'express'],
  about: 'views with partials and lambdas',
  files: {
    'views/index.mustache': '{{#list}}{{> item}}{{/list}}{{^list}}none{{/list}}',
    'views/item.mustache': '<li>{{.}}</li>',
  },
  start({ folder }) {
    const express = require('express');
    const mustacheExpress = require('mustache-express');
    const app = express();
    app.engine('mustache', mustacheExpress(`${folder}/views`));
    app.set('view engine', 'mustache').set('views', `${folder}/views`);
    app.get('/', (req, res) => res.render('index', { list: [1, '<2>'] }));
    app.get('/none', (req, res) => res.render('index', {}));
    return app;
  },
  requests: ['GET /', 'GET /none'],
};
