module.exports = {
  wants: ['hbs', 'express'],
  about: 'partials, helpers, a layout, local data',
  files: {
    'views/layout.hbs': '<main>{{{body}}}</main>',
    'views/index.hbs': '{{up title}} {{> foot}}',
    'views/partials/foot.hbs': '<p>{{@note}}</p>',
  },
  start({ folder }) {
    const express = require('express');
    const hbs = require('hbs');
    const app = express();
    app.set('view engine', 'hbs').set('views', `${folder}/views`);
    hbs.registerHelper('up', (text) => text.toUpperCase());
    hbs.registerPartials(`${folder}/views/partials`);
    hbs.localsAsTemplateData(app);
    app.locals.note = 'a note';
    app.get('/', (req, res) => res.render('index', { title: 'hello' }));
    return app;
  },
  requests: ['GET /', 'GET /'],
};
