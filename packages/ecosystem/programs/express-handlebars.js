module.exports = {
  wants: ['express-handlebars', 'express'],
  about: 'a layout, partials, helpers, no layout',
  files: {
    'views/layouts/main.handlebars': '<html>{{{body}}}</html>',
    'views/home.handlebars': '{{up name}}{{> foot}}',
    'views/partials/foot.handlebars': '<hr>',
  },
  start({ folder }) {
    const express = require('express');
    const { engine } = require('express-handlebars');
    const app = express();
    app.engine('handlebars', engine({ helpers: { up: (text) => text.toUpperCase() } }));
    app.set('view engine', 'handlebars').set('views', `${folder}/views`);
    app.get('/', (req, res) => res.render('home', { name: 'ann' }));
    app.get('/bare', (req, res) => res.render('home', { name: 'ben', layout: false }));
    return app;
  },
  requests: ['GET /', 'GET /bare'],
};
