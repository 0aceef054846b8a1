module.exports = {
  wants: ['eta', 'express'],
  about: 'a view engine for Express, created from its class',
  files: { 'views/index.eta': '<h1><%= it.title %></h1>' },
  start({ folder }) {
    const express = require('express');
    const { Eta } = require('eta');
    const eta = new Eta({ views: `${folder}/views`, cache: true });
    const app = express();
    app.engine('eta', (path, options, callback) => {
      try {
        callback(null, eta.renderString(eta.readFile(path), options));
      } catch (error) {
        callback(error);
      }
    });
    app.set('view engine', 'eta').set('views', `${folder}/views`);
    app.get('/', (req, res) => res.render('index', { title: '<eta>' }));
    return app;
  },
  requests: ['GET /'],
};
