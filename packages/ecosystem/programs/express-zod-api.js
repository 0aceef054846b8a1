module.exports = {
  wants: ['express-zod-api', 'zod', 'express', 'http-errors'],
  node: 22,
  about: 'routing attached to an application: input, output, errors, unknown methods',
  async start() {
    const express = require('express');
    const { attachRouting, createConfig, defaultEndpointsFactory } = await import('express-zod-api');
    const { z } = await import('zod');
    const app = express();
    const hello = defaultEndpointsFactory.build({
      method: 'get',
      input: z.object({ name: z.string().min(2) }),
      output: z.object({ greetings: z.string() }),
      handler: async ({ input: { name } }) => ({ greetings: `Hello, ${name}. Happy coding!` }),
    });
    const config = createConfig({ app, cors: true, logger: { level: 'silent', color: false } });
    const { notFoundHandler } = attachRouting(config, { v1: { hello } });
    app.use(notFoundHandler);
    return app;
  },
  requests: ['GET /v1/hello?name=ann', 'GET /v1/hello', 'OPTIONS /v1/hello', 'POST /v1/hello', 'GET /nowhere'],
};
