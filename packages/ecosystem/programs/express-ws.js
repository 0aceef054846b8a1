module.exports = {
  wants: ['express-ws', 'ws', 'express'],
  about: 'app.ws(), a route of a router, a path without a socket, parameters',
  // It listens with a server of http.createServer(app).
  first: 'GET /the-first',
  start({ note }) {
    const express = require('express');
    const app = express();
    const expressWs = require('express-ws')(app);
    app.get('/', (req, res) => res.send('a page'));
    app.ws('/echo', (ws, req) => {
      note('connected', [req.url, req.method, Object.keys(req.query)]);
      ws.on('message', (message) => ws.send(`echo ${message}`));
    });
    const router = express.Router();
    expressWs.applyTo(router);
    router.ws('/room/:name', (ws, req) => ws.send(req.params.name));
    app.use('/chat', router);
    return app;
  },
  requests: ['GET /', 'GET /echo'],
  async play({ note, port, send }) {
    const { WebSocket } = require('ws');
    const { once } = require('node:events');
    const echo = new WebSocket(`ws://127.0.0.1:${port}/echo?a=1`);
    await once(echo, 'open');
    echo.send('hello');
    note('echo', String((await once(echo, 'message'))[0]));
    echo.close();
    await once(echo, 'close');
    const room = new WebSocket(`ws://127.0.0.1:${port}/chat/room/kitchen`);
    note('room', String((await once(room, 'message'))[0]));
    room.terminate();
    const none = new WebSocket(`ws://127.0.0.1:${port}/nowhere`);
    const [what] = await Promise.race([once(none, 'close'), once(none, 'error')]);
    note('nowhere', String(what));
    await send('GET /');
  },
};
