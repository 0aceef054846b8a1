'use strict';

// Runs only on Bun.
const { PORT, SCENARIO, CLOSES } = process.env;
// Bun closes a connection when it is asked to, and does not say so: a load generator counts an error then.
const closing = CLOSES === undefined ? {} : { headers: { Connection: 'close' } };

function item({ params, headers }) {
  const { id } = params;
  const fields = { headers: { 'Cache-Control': 'no-cache' } };
  return Response.json({ id, agent: headers.get('user-agent'), name: `item ${id}`, tags: ['a', 'b'] }, fields);
}

const routes = {
  hello: {
    '/': () => new Response('Hello World!', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
  },
  echo: {
    '/echo/:name': ({ params }) => new Response(params.name, { headers: { 'Content-Type': 'text/plain' } }),
  },
  'query-api': {
    '/api'({ url }) {
      const { searchParams } = new URL(url);
      return Response.json({ name: searchParams.get('name'), lastname: searchParams.get('lastname') }, closing);
    },
  },
  varied: { '/items/:id': item },
  async: {
    async '/items/:id'(req) {
      await new Promise((resolve) => setImmediate(resolve));
      return item(req);
    },
  },
  getter: {
    '/': ({ headers }) =>
      Response.json({ xhr: (headers.get('x-requested-with') ?? '').toLowerCase() === 'xmlhttprequest' }),
  },
};

const { Bun } = globalThis;
const server = Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: routes[SCENARIO],
  fetch: () => new Response('Not Found', { status: 404 }),
});
console.log(`listening ${server.port}`);
