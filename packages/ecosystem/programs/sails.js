module.exports = {
  wants: ['sails'],
  about: 'lifted with custom routes: answers, a body, a session, errors',
  folder: 'sails',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  first: 'GET /the-first',
  masks: [[/sails\.sid=[^;]*/g, 'sails.sid=X']],
  async start({ folder }) {
    const { Sails } = require('sails');
    const sails = new Sails();
    await new Promise((resolve, reject) =>
      sails.lift(
        {
          appPath: folder,
          port: 0,
          explicitHost: '127.0.0.1',
          log: { level: 'silent' },
          hooks: { grunt: false, pubsub: false, sockets: false },
          globals: false,
          session: { secret: 'a secret' },
          security: { cors: { allRoutes: true, allowOrigins: ['https://a.example'] } },
          routes: {
            'GET /': (req, res) => res.json({ url: req.url, query: req.query }),
            'POST /body': (req, res) => res.status(201).send(req.allParams()),
            'GET /count': (req, res) => res.json((req.session.n = (req.session.n ?? 0) + 1)),
            'GET /bad': (req, res) => res.badRequest({ a: 1 }),
            'GET /error': (req, res) => res.serverError('broken'),
          },
        },
        (error) => (error ? reject(error) : resolve()),
      ),
    );
    return { port: sails.hooks.http.server.address().port };
  },
  requests: [
    'GET /?a=1',
    'POST /body?q=1\nContent-Type: application/json\n\n{"a":1}',
    'GET /count',
    'GET /count',
    'GET /bad',
    'GET /error',
    'GET /nowhere\nAccept: application/json',
    'OPTIONS /\nOrigin: https://a.example\nAccess-Control-Request-Method: PUT',
  ],
};
