module.exports = {
  wants: ['graphql-http', 'graphql', 'express'],
  about: 'queries and mutations by POST and GET, variables, errors, a wrong type',
  start() {
    const express = require('express');
    const { createHandler } = require('graphql-http/lib/use/express');
    const { buildSchema } = require('graphql');
    const schema = buildSchema(
      'type Query { hello(name: String): String, no: Int } type Mutation { set(n: Int!): Int }',
    );
    const rootValue = {
      hello: ({ name = 'world' }) => `hello ${name}`,
      no() {
        throw new Error('no');
      },
      set: ({ n }) => n,
    };
    const app = express();
    app.all('/graphql', createHandler({ schema, rootValue }));
    return app;
  },
  requests: [
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{ hello }"}',
    'GET /graphql?query=%7Bhello(name:%22ann%22)%7D',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{ no }"}',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"mutation($n:Int!){set(n:$n)}","variables":{"n":3}}',
    'POST /graphql\nContent-Type: text/plain\n\nx',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{"}',
    'GET /graphql?query=mutation%7Bset(n:1)%7D',
    'PUT /graphql',
  ],
};
