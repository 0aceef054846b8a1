module.exports = {
  wants: ['better-sse', 'express'],
  about: 'a session and a channel: events, identifiers, comments, an iterator',
  chunks: false,
  masks: [[/id: .*/g, 'id']],
  start() {
    const express = require('express');
    const { createSession, createChannel } = require('better-sse');
    const app = express();
    const channel = createChannel();
    app.get('/one', async (req, res) => {
      const session = await createSession(req, res, { keepAlive: null });
      session.push('hello', 'greeting');
      await session.iterate([1, 2]);
      setTimeout(() => res.end(), 30);
    });
    app.get('/channel', async (req, res) => {
      channel.register(await createSession(req, res, { keepAlive: null, retry: 500 }));
      channel.broadcast({ n: channel.sessionCount }, 'count');
      setTimeout(() => res.end(), 30);
    });
    return app;
  },
  requests: ['GET /one', 'GET /channel'],
};
