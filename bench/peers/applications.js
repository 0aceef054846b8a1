'use strict';

/**
 * The applications of the scenarios as Express's own guide writes them, each with the one route it needs.
 * @param express Express, or what stands in for it: the same source serves both, which is what is compared
 */
module.exports = (express) => ({
  hello() {
    const app = express();
    app.get('/', (req, res) => {
      res.send('Hello World!');
    });
    return app;
  },

  echo() {
    const app = express();
    app.get('/echo/:name', (req, res) => {
      res.type('text/plain').send(req.params.name);
    });
    return app;
  },

  json() {
    const app = express();
    app.get('/json', (req, res) => {
      res.json({ message: 'Hello, World!' });
    });
    return app;
  },

  'post-json'() {
    const app = express();
    app.use(express.json());
    app.post('/lists', (req, res) => {
      const { list, items } = req.body;
      res.json({ list, items: items.length, last: items.at(-1).id });
    });
    return app;
  },
});
