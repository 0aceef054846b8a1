module.exports = {
  wants: ['express-validator', 'express'],
  about: 'checks and sanitizers of body, query and parameters; a schema; the message of a custom check',
  start() {
    const express = require('express');
    const { body, query, param, checkSchema, matchedData, validationResult } = require('express-validator');
    const app = express();
    app.use(express.json());
    const answer = (req, res) => {
      const errors = validationResult(req);
      if (!errors.isEmpty()) return res.status(422).json({ errors: errors.array() });
      res.json(matchedData(req));
    };
    app.get('/hello', query('person').trim().notEmpty().escape(), answer);
    const other = body('again').custom((value, { req }) => {
      if (value !== req.body.password) throw new Error('not the same');
      return true;
    });
    app.post('/user', body('email').isEmail().normalizeEmail(), body('password').isLength({ min: 5 }), other, answer);
    app.get('/item/:id', param('id').isInt().toInt(), answer);
    app.post('/schema', checkSchema({ 'list.*': { in: ['body'], isInt: true, toInt: true } }), answer);
    return app;
  },
  requests: [
    'GET /hello?person=%20%3Cb%3E%20',
    'GET /hello',
    'POST /user\nContent-Type: application/json\n\n{"email":"A.B@GMAIL.com","password":"12345","again":"12345"}',
    'POST /user\nContent-Type: application/json\n\n{"email":"a","password":"1","again":"2"}',
    'GET /item/7',
    'GET /item/x',
    'POST /schema\nContent-Type: application/json\n\n{"list":["1","2"]}',
  ],
};
