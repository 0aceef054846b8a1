module.exports = {
  wants: ['supertest', 'express'],
  about: 'an application, a server, an agent with cookies; expectations that hold and that fail',
  start() {
    const express = require('express');
    const app = express();
    app.use(express.json());
    app.get('/', (req, res) => res.set('X-One', '1').send(req.get('cookie') ?? 'no cookie'));
    app.post('/login', (req, res) => res.cookie('name', req.body.name).status(201).json({ made: true }));
    module.exports.app = app;
    return app;
  },
  async play({ note, send, origin }) {
    const request = require('supertest');
    await send('GET /');
    const told = ({ status, headers: { date, ...headers }, text }) => ({ status, headers, text });
    note('application', told(await request(module.exports.app).get('/').expect(200).expect('x-one', '1')));
    note('server', told(await request(origin).get('/').expect('Content-Type', /html/)));
    const agent = request.agent(origin);
    note('login', told(await agent.post('/login').send({ name: 'ann' })));
    note('agent', told(await agent.get('/')));
    note(
      'failed',
      await request(module.exports.app)
        .get('/')
        .expect(201)
        .catch((error) => error.message),
    );
    note('404', told(await request(origin).get('/nowhere')));
  },
};
