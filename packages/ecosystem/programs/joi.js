module.exports = {
  wants: ['joi', 'express'],
  about: 'a body validated in a middleware',
  start() {
    const express = require('express');
    const Joi = require('joi');
    const app = express();
    const schema = Joi.object({
      username: Joi.string().alphanum().min(3).required(),
      birth_year: Joi.number().integer().min(1900),
    });
    app.use(express.json());
    app.post('/', async (req, res) => res.json(await schema.validateAsync(req.body)));
    app.use((error, req, res, next) => res.status(error.isJoi ? 400 : 500).json(error.details ?? error.message));
    return app;
  },
  requests: [
    'POST /\nContent-Type: application/json\n\n{"username":"abc","birth_year":"1994"}',
    'POST /\nContent-Type: application/json\n\n{"username":"a"}',
    'POST /',
  ],
};
