module.exports = {
  wants: ['nunjucks', 'express'],
  about: 'inheritance, filters, a loop, autoescaping',
  files: {
    'views/base.html': '<body>{% block main %}{% endblock %}</body>',
    'views/index.html':
      '{% extends "base.html" %}{% block main %}{{ name | upper }}{% for n in list %}[{{ n }}]{% endfor %}{% endblock %}',
  },
  start({ folder }) {
    const express = require('express');
    const nunjucks = require('nunjucks');
    const app = express();
    nunjucks.configure(`${folder}/views`, { autoescape: true, express: app });
    app.get('/', (req, res) => res.render('index.html', { name: '<b>', list: [1, 2] }));
    return app;
  },
  requests: ['GET /'],
};
