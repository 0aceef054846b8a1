import { initTRPC, TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'nonstop';
import { z } from 'zod';

/** @type {Map<number, { id: number, text: string }>} */
const notes = new Map();

const t = initTRPC.context().create();

export const appRouter = t.router({
  whoami: t.procedure.query(({ ctx }) => ctx.user),
  list: t.procedure.query(() => [...notes.values()]),
  one: t.procedure.input(z.number().int()).query(({ input }) => {
    const note = notes.get(input);
    if (note === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: `no note ${input}` });
    return note;
  }),
  add: t.procedure.input(z.object({ text: z.string().min(1).max(200) })).mutation(({ input }) => {
    const note = { id: notes.size + 1, text: input.text };
    notes.set(note.id, note);
    return note;
  }),
});

const app = express();
const createContext = ({ req }) => ({ user: req.get('X-User') ?? 'nobody' });
app.use('/trpc', createExpressMiddleware({ router: appRouter, createContext }));

const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw error;
  console.log(`http://localhost:${server.address().port}/trpc/whoami`);
});
