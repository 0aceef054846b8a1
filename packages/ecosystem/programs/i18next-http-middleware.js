module.exports = {
  wants: ['i18next-http-middleware', 'i18next', 'express'],
  about: 'language by header, query and cookie; a missing key; localized routes',
  start() {
    const express = require('express');
    const i18next = require('i18next');
    const middleware = require('i18next-http-middleware');
    const resources = { en: { translation: { hi: 'hello {{name}}' } }, de: { translation: { hi: 'hallo {{name}}' } } };
    const detection = { order: ['querystring', 'cookie', 'header'], caches: ['cookie'], lookupQuerystring: 'lng' };
    i18next.use(middleware.LanguageDetector).init({
      preload: ['en', 'de'],
      fallbackLng: 'en',
      resources,
      detection,
      initAsync: false,
      showSupportNotice: false,
    });
    const app = express();
    app.use(middleware.handle(i18next));
    app.get('/', (req, res) =>
      res.json({
        text: req.t('hi', { name: 'ann' }),
        none: req.t('none'),
        language: req.language,
        languages: req.languages,
      }),
    );
    return app;
  },
  requests: ['GET /', 'GET /\nAccept-Language: de-AT,en;q=0.5', 'GET /?lng=de', 'GET /\nCookie: i18next=en'],
};
