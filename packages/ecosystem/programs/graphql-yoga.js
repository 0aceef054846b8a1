module.exports = {
  wants: ['graphql-yoga', 'graphql@16', 'express'],
  about: 'queries, its page, a subscription as events, errors, cors',
  folder: 'graphql-16',
  start() {
    const express = require('express');
    const { createYoga, createSchema } = require('graphql-yoga');
    const schema = createSchema({
      typeDefs: 'type Query { hello(name: String): String } type Subscription { count(to: Int!): Int }',
      resolvers: {
        Query: { hello: (_, { name = 'world' }) => `hello ${name}` },
        Subscription: {
          count: {
            async *subscribe(_, { to }) {
              for (let n = 1; n <= to; n++) yield { count: n };
            },
          },
        },
      },
    });
    const app = express();
    const yoga = createYoga({ schema, logging: false });
    app.use(yoga.graphqlEndpoint, yoga);
    return app;
  },
  chunks: false,
  requests: [
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{ hello }"}',
    'GET /graphql?query=%7Bhello(name:%22ann%22)%7D',
    'GET /graphql\nAccept: text/html',
    'OPTIONS /graphql\nOrigin: https://a.example\nAccess-Control-Request-Method: POST',
    'POST /graphql\nContent-Type: application/json\nAccept: text/event-stream\n\n{"query":"subscription { count(to: 3) }"}',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{ none }"}',
    'POST /graphql\nContent-Type: application/json\n\n{',
    'PUT /graphql',
  ],
};
