module.exports = {
  wants: ['@apollo/server', '@as-integrations/express5', 'graphql@16', 'cors', 'express'],
  about: 'expressMiddleware with context, queries, errors, CSRF prevention, the drain plugin',
  folder: 'graphql-16',
  async start() {
    const express = require('express');
    const http = require('node:http');
    const cors = require('cors');
    const { ApolloServer } = require('@apollo/server');
    const { expressMiddleware } = require('@as-integrations/express5');
    const { ApolloServerPluginDrainHttpServer } = require('@apollo/server/plugin/drainHttpServer');
    const app = express();
    const httpServer = http.createServer(app);
    const server = new ApolloServer({
      typeDefs: 'type Query { hello: String, who: String, no: Int }',
      resolvers: {
        Query: {
          hello: () => 'world',
          who: (_, __, { token }) => token,
          no() {
            throw new Error('no');
          },
        },
      },
      includeStacktraceInErrorResponses: false,
      plugins: [ApolloServerPluginDrainHttpServer({ httpServer })],
      stopOnTerminationSignals: false,
    });
    await server.start();
    app.use(
      '/graphql',
      cors(),
      express.json(),
      expressMiddleware(server, { context: async ({ req }) => ({ token: req.headers.token }) }),
    );
    module.exports.server = server;
    return httpServer;
  },
  requests: [
    'POST /graphql\nContent-Type: application/json\nToken: ann\n\n{"query":"{ hello who }"}',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{ no }"}',
    'POST /graphql\nContent-Type: application/json\n\n{"query":"{"}',
    'GET /graphql?query=%7Bhello%7D',
    'GET /graphql?query=%7Bhello%7D\nApollo-Require-Preflight: 1',
    'POST /graphql\nContent-Type: application/json\n\n[]',
    'POST /graphql',
    'GET /graphql\nAccept: text/html',
  ],
  async play({ note }) {
    await module.exports.server.stop();
    note('stopped', true);
  },
};
