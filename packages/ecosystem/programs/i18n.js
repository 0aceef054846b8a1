module.exports = {
  wants: ['i18n', 'express'],
  about: 'languages by header, cookie and query; plurals',
  files: {
    'locales/en.json': '{"Hello":"Hello","cat":{"one":"%s cat","other":"%s cats"}}',
    'locales/de.json': '{"Hello":"Hallo","cat":{"one":"%s Katze","other":"%s Katzen"}}',
  },
  start({ folder }) {
    const express = require('express');
    const { I18n } = require('i18n');
    const i18n = new I18n({
      locales: ['en', 'de'],
      directory: `${folder}/locales`,
      cookie: 'lang',
      queryParameter: 'l',
      updateFiles: false,
    });
    const app = express();
    app.use(i18n.init);
    app.get('/', (req, res) => res.json([req.__('Hello'), res.__n('cat', 1), res.__n('cat', 3), req.getLocale()]));
    return app;
  },
  requests: ['GET /', 'GET /\nAccept-Language: de', 'GET /?l=de', 'GET /\nCookie: lang=de'],
};
