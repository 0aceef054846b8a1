module.exports = {
  wants: ['zod', 'express'],
  about: 'body and query validated by schemas, issues as the answer',
  start() {
    const express = require('express');
    const { z } = require('zod');
    const app = express();
    const Player = z.object({ username: z.string().min(2), xp: z.coerce.number() });
    const check = (schema) => (req, res, next) => {
      const result = schema.safeParse(req.body);
      if (!result.success) return res.status(400).json(result.error.issues);
      req.body = result.data;
      next();
    };
    app.post('/players', express.json(), check(Player), (req, res) => res.status(201).json(req.body));
    return app;
  },
  requests: [
    'POST /players\nContent-Type: application/json\n\n{"username":"billie","xp":"100"}',
    'POST /players\nContent-Type: application/json\n\n{"username":1}',
  ],
};
