module.exports = {
  wants: ['@trpc/server', '@trpc/client', 'zod', 'express'],
  about: 'queries, mutations, batches and a streamed batch from its client; errors; a context',
  chunks: false,
  start() {
    const express = require('express');
    const { initTRPC, TRPCError } = require('@trpc/server');
    const { createExpressMiddleware } = require('@trpc/server/adapters/express');
    const { z } = require('zod');
    const t = initTRPC.context().create({ isDev: false });
    const router = t.router({
      hello: t.procedure
        .input(z.object({ name: z.string() }))
        .query(({ input, ctx }) => `hello ${input.name} ${ctx.who}`),
      add: t.procedure.input(z.number()).mutation(({ input }) => input + 1),
      no: t.procedure.query(() => {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'not you' });
      }),
      late: t.procedure.query(() => new Promise((resolve) => setTimeout(resolve, 20, 'late'))),
    });
    const app = express();
    app.use(
      '/trpc',
      createExpressMiddleware({ router, createContext: ({ req }) => ({ who: req.get('x-who') ?? 'nobody' }) }),
    );
    return app;
  },
  requests: [
    'GET /trpc/hello?input=%7B%22name%22:%22ann%22%7D\nX-Who: me',
    'GET /trpc/hello',
    'GET /trpc/none',
    'GET /trpc/no',
    'POST /trpc/add\nContent-Type: application/json\n\n41',
    'GET /trpc/hello,no?batch=1&input=%7B%220%22:%7B%22name%22:%22a%22%7D%7D',
    'HEAD /trpc/hello',
    'GET /trpc/add',
  ],
  async play({ note, origin }) {
    const { createTRPCClient, httpBatchStreamLink, httpBatchLink } = require('@trpc/client');
    for (const link of [httpBatchLink, httpBatchStreamLink]) {
      const client = createTRPCClient({ links: [link({ url: `${origin}/trpc` })] });
      note(
        'batch',
        await Promise.allSettled([
          client.hello.query({ name: 'ann' }),
          client.late.query(),
          client.no.query().catch((error) => error.message),
        ]),
      );
      note('add', await client.add.mutate(1));
    }
  },
};
