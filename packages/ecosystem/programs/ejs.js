module.exports = {
  wants: ['ejs', 'express'],
  about: 'views with includes and escapes, locals, a missing view, a broken one',
  files: {
    'views/index.ejs': '<h1><%= title %></h1><%- include("part", { n: 2 }) %>',
    'views/part.ejs': '<p><%= n %> <%= settings.name %></p>',
    'views/broken.ejs': '<% if ( %>',
  },
  masks: [[/Content-Length.*|ETag.*/g, '']],
  start({ folder }) {
    const express = require('express');
    const app = express();
    app.set('view engine', 'ejs').set('views', `${folder}/views`).set('name', 'a site');
    app.get('/', (req, res) => res.render('index', { title: '<ejs>' }));
    app.get('/none', (req, res) => res.render('none'));
    app.get('/broken', (req, res) => res.render('broken'));
    app.get('/callback', (req, res) => res.render('part', { n: 1 }, (error, html) => res.send(html.toUpperCase())));
    app.use((error, req, res, next) => res.status(500).send(error.message.split('\n')[0]));
    return app;
  },
  requests: ['GET /', 'GET /none', 'GET /broken', 'GET /callback'],
};
