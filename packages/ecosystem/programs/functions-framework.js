module.exports = {
  wants: ['@google-cloud/functions-framework'],
  about: 'an HTTP function and a function of cloud events, on the server of the framework',
  folder: 'functions-framework',
  async start() {
    const functions = require('@google-cloud/functions-framework');
    const { getTestServer } = require('@google-cloud/functions-framework/testing');
    functions.http('hello', (req, res) => {
      if (req.path === '/fails') throw new Error('of the function');
      res.set('X-Raw', String(req.rawBody?.length)).send({ body: req.body, query: req.query, ip: req.ip });
    });
    functions.cloudEvent('event', (event) => {
      if (event.type !== 'a.b') throw new Error(`unknown: ${event.type}`);
    });
    const events = getTestServer('event').listen(0, '127.0.0.1');
    await new Promise((resolve) => events.once('listening', resolve));
    module.exports.events = events;
    return getTestServer('hello');
  },
  requests: [
    'GET /?a=1\nX-Forwarded-For: 10.1.1.1',
    'POST /\nContent-Type: application/json\n\n{"a":1}',
    'POST /\nContent-Type: application/octet-stream\n\nabc',
    'POST /\nContent-Type: application/json\n\n{',
    'GET /robots.txt',
    'GET /fails',
  ],
  async play({ note }) {
    const { events } = module.exports;
    for (const type of ['a.b', 'c']) {
      const answer = await fetch(`http://127.0.0.1:${events.address().port}/`, {
        method: 'POST',
        headers: {
          'ce-id': '1',
          'ce-source': '/x',
          'ce-type': type,
          'ce-specversion': '1.0',
          'content-type': 'application/json',
        },
        body: '{"a":1}',
      });
      note(type, [answer.status, await answer.text()]);
    }
    events.close();
    events.closeAllConnections();
  },
};
