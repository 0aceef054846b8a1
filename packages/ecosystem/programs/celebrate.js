module.exports = {
  wants: ['celebrate', 'joi', 'express'],
  about: 'validation with joi, defaults, its error handler',
  start() {
    const express = require('express');
    const { celebrate, errors, Segments, Joi } = require('celebrate');
    const app = express();
    app.use(express.json());
    const schema = {
      [Segments.BODY]: Joi.object().keys({
        name: Joi.string().required(),
        age: Joi.number().integer(),
        role: Joi.string().default('admin'),
      }),
      [Segments.QUERY]: { token: Joi.string().token().required() },
    };
    app.post('/signup', celebrate(schema, { abortEarly: false }), (req, res) =>
      res.json({ body: req.body, query: req.query }),
    );
    app.get('/:n', celebrate({ [Segments.PARAMS]: { n: Joi.number() } }), (req, res) => res.json(typeof req.params.n));
    app.use(errors());
    return app;
  },
  requests: [
    'POST /signup?token=abc\nContent-Type: application/json\n\n{"name":"ann","age":"7"}',
    'POST /signup?token=a-b\nContent-Type: application/json\n\n{"name":"ann"}',
    'POST /signup\nContent-Type: application/json\n\n{"age":"x"}',
    'GET /7',
    'GET /x',
  ],
};
