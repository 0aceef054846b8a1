// node client.js http://localhost:3000
import { createTRPCClient, httpBatchLink } from '@trpc/client';

const address = process.argv[2] ?? 'http://localhost:3000';
const trpc = createTRPCClient({
  links: [httpBatchLink({ url: `${address}/trpc`, headers: { 'X-User': 'ada' } })],
});

console.log(await trpc.add.mutate({ text: 'buy milk' }));
// Both calls are sent in one request.
console.log(await Promise.all([trpc.whoami.query(), trpc.list.query()]));
console.log(await trpc.one.query(9).catch((error) => `${error.data.httpStatus}: ${error.message}`));
console.log(await trpc.add.mutate({ text: '' }).catch((error) => error.data.httpStatus));
