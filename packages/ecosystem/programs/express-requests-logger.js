module.exports = {
  wants: ['express-requests-logger', 'express'],
  about: 'log lines of requests with bodies, masked parts',
  start({ note }) {
    const express = require('express');
    const audit = require('express-requests-logger');
    const line = (level) => (what) =>
      note(level, {
        request: what.request && { method: what.request.method, url: what.request.url, body: what.request.body },
        response: what.response && { status: what.response.status_code, body: what.response.body },
      });
    const app = express();
    app.use(
      audit({
        logger: { info: line('info'), warn: line('warn'), error: line('error') },
        request: { maskBody: ['password'] },
        response: { maskBody: ['token'] },
        doubleAudit: true,
      }),
    );
    app.use(express.json());
    app.post('/', (req, res) => res.json({ token: 'x', name: req.body.name }));
    return app;
  },
  requests: ['POST /\nContent-Type: application/json\n\n{"name":"ann","password":"x"}', 'GET /nowhere'],
};
