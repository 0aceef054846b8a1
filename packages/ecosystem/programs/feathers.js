module.exports = {
  wants: ['@feathersjs/express', '@feathersjs/feathers', '@feathersjs/errors'],
  about: 'a service by REST: all methods, hooks, errors, its own and external middleware',
  folder: 'feathers',
  first: 'GET /the-first',
  async start() {
    const { feathers } = require('@feathersjs/feathers');
    const express = require('@feathersjs/express');
    const { BadRequest } = require('@feathersjs/errors');
    class Messages {
      list = [];
      async find({ query }) {
        return { list: this.list, query };
      }
      async get(id) {
        if (id === '0') throw new BadRequest('not zero', { id });
        return { id };
      }
      async create(data) {
        this.list.push(data);
        return { ...data, id: this.list.length };
      }
      async patch(id, data) {
        return { id, ...data };
      }
      async remove(id) {
        return { id };
      }
    }
    const app = express.default(feathers());
    app.use(express.json());
    app.use(express.urlencoded({ extended: true }));
    app.configure(express.rest());
    app.use('messages', new Messages());
    app.service('messages').hooks({ after: { get: [async (context) => void (context.result.hooked = true)] } });
    app.get('/plain', (req, res) => res.send('plain'));
    app.use(express.notFound());
    app.use(express.errorHandler({ logger: false, html: false }));
    return app.listen(0, '127.0.0.1');
  },
  requests: [
    'GET /messages?a=1',
    'POST /messages\nContent-Type: application/json\n\n{"text":"hello"}',
    'GET /messages/1',
    'GET /messages/0',
    'PATCH /messages/1\nContent-Type: application/json\n\n{"text":"x"}',
    'DELETE /messages/1',
    'PUT /messages/1\nContent-Type: application/json\n\n{}',
    'GET /plain',
    'GET /nowhere',
  ],
};
