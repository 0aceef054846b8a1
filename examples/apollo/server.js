import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'nonstop';

const books = [
  { title: 'Dune', author: 'Frank Herbert' },
  { title: 'Emma', author: 'Jane Austen' },
];

const typeDefs = `#graphql
  type Book { title: String!, author: String! }
  type Query { books(author: String): [Book!]!, whoami: String }
  type Mutation { add(title: String!, author: String!): Book! }
`;

const resolvers = {
  Query: {
    books: (_, { author }) => books.filter((book) => author === undefined || book.author === author),
    whoami: (_, __, { user }) => user,
  },
  Mutation: {
    add(_, { title, author }) {
      const book = { title, author };
      books.push(book);
      return book;
    },
  },
};

const app = express();
const server = createServer(app);
const apollo = new ApolloServer({
  typeDefs,
  resolvers,
  plugins: [ApolloServerPluginDrainHttpServer({ httpServer: server })],
});
await apollo.start();

app.use(
  '/graphql',
  express.json(),
  expressMiddleware(apollo, { context: async ({ req }) => ({ user: req.get('X-User') }) }),
);

server.listen(process.env.PORT ?? 3000, () => {
  console.log(`http://localhost:${server.address().port}/graphql`);
});
