module.exports = {
  wants: ['express-ejs-layouts', 'ejs', 'express'],
  about: 'a layout around a view, sections, another layout, no layout',
  files: {
    'views/layout.ejs': '<main><%- body %></main><%- script %>',
    'views/other.ejs': '<div><%- body %></div>',
    'views/page.ejs': '<p><%= n %></p><script>go()</script>',
  },
  start({ folder }) {
    const express = require('express');
    const layouts = require('express-ejs-layouts');
    const app = express();
    app.set('view engine', 'ejs').set('views', `${folder}/views`).set('layout extractScripts', true);
    app.use(layouts);
    app.get('/', (req, res) => res.render('page', { n: 1 }));
    app.get('/other', (req, res) => res.render('page', { n: 2, layout: 'other' }));
    app.get('/none', (req, res) => res.render('page', { n: 3, layout: false }));
    return app;
  },
  requests: ['GET /', 'GET /other', 'GET /none'],
};
