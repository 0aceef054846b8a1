'use strict';

const path = require('node:path');

const files = path.join(__dirname, 'files');

/**
 * The applications of the scenarios, written as in Express's own guide, each with only the route it needs. Modules that a
 * scenario does not use are not loaded, because they would add to the compared memory.
 * @param express Express or its replacement: both run the same source
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

  'query-api'() {
    const app = express();
    app.disable('x-powered-by');
    app.get('/api', (req, res) => {
      const { name, lastname } = req.query;
      res.json({ name, lastname });
    });
    return app;
  },

  varied() {
    const app = express();
    app.get('/items/:id', (req, res) => {
      const { id } = req.params;
      res
        .set('Cache-Control', 'no-cache')
        .json({ id, agent: req.get('user-agent'), name: `item ${id}`, tags: ['a', 'b'] });
    });
    return app;
  },

  async() {
    const app = express();
    app.get('/items/:id', async (req, res) => {
      await new Promise((resolve) => setImmediate(resolve));
      const { id } = req.params;
      res
        .set('Cache-Control', 'no-cache')
        .json({ id, agent: req.get('user-agent'), name: `item ${id}`, tags: ['a', 'b'] });
    });
    return app;
  },

  waiting() {
    const { queried, waiting } = require('./work');
    const app = express();
    app.get('/waiting', (req, res) => {
      res.json({ waiting: waiting() });
    });
    app.get('/items/:id', async (req, res) => {
      await queried();
      const { id } = req.params;
      res.json({ id, agent: req.get('user-agent'), name: `item ${id}`, tags: ['a', 'b'] });
    });
    return app;
  },

  'async-db'() {
    const { fetched, orderOf } = require('./work');
    const app = express();
    app.use(async (req, res, next) => {
      req.user = await fetched('Ada');
      next();
    });
    app.use(async (req, res, next) => {
      req.rights = await fetched(['read', 'write']);
      next();
    });
    app.get('/orders/:id', async (req, res) => {
      await fetched();
      res.json({ user: req.user, rights: req.rights, order: orderOf(req.params.id) });
    });
    app.use((error, req, res, _next) => {
      res.json({ error: error.message });
    });
    return app;
  },

  list() {
    const { listOf } = require('./work');
    const app = express();
    app.get('/lists/:id', (req, res) => {
      res.json(listOf(req.params.id));
    });
    return app;
  },

  gzip() {
    const { listOf } = require('./work');
    const app = express();
    app.use(require('compression')());
    app.get('/lists/:id', (req, res) => {
      res.json(listOf(req.params.id));
    });
    return app;
  },

  'ejs-table'() {
    const { tableOf } = require('./work');
    const app = express();
    app.set('views', path.join(files, 'views'));
    app.set('view engine', 'ejs');
    app.get('/tables/:id', (req, res) => {
      res.render('table', tableOf(req.params.id));
    });
    return app;
  },

  'files-200'() {
    const app = express();
    app.use(express.static(require('./files-200')()));
    return app;
  },

  'file-300k'() {
    const app = express();
    app.use(express.static(require('./file-300k')()));
    return app;
  },

  'raw-300k'() {
    const app = express();
    app.use(express.raw({ limit: '1mb' }));
    app.post('/', (req, res) => {
      res.send(`received ${req.body.length}`);
    });
    return app;
  },

  'long-target'() {
    const app = express();
    app.get('/callback', (req, res) => {
      res.send('signed in');
    });
    return app;
  },

  'upload-100k'() {
    const app = express();
    app.post('/', (req, res) => {
      let length = 0;
      req.on('data', (chunk) => (length += chunk.length));
      req.on('end', () => res.send(`received ${length}`));
    });
    return app;
  },

  'file-callback'() {
    const app = express();
    app.get('/style.css', (req, res, next) => {
      res.sendFile(path.join(files, 'style.css'), (error) => {
        if (error) next(error);
      });
    });
    return app;
  },

  'stream-1m'() {
    const { megabyte } = require('./work');
    const app = express();
    app.get('/', (req, res) => {
      res.type('application/octet-stream');
      megabyte().pipe(res);
    });
    return app;
  },

  'upload-1m'() {
    const multer = require('multer');
    const app = express();
    const upload = multer({ storage: multer.memoryStorage() });
    app.post('/files', upload.single('file'), (req, res) => {
      res.json({ name: req.file.originalname, size: req.file.size });
    });
    return app;
  },

  'session-valkey': () => require('./session').sessionApplication(express),

  getter() {
    const app = express();
    app.get('/', (req, res) => {
      res.json({ xhr: req.xhr });
    });
    return app;
  },

  routes() {
    const app = express();
    const count = Number(process.env.ROUTES);
    for (let place = 1; place < count; place++) {
      app.get(`/route-${place}/:id`, (req, res) => {
        res.send(`route ${place}: ${req.params.id}`);
      });
    }
    app.get('/last/:id', (req, res) => {
      res.send(`the last one: ${req.params.id}`);
    });
    return app;
  },

  middleware() {
    const app = express();
    const { MIDDLEWARE = 20 } = process.env;
    for (let place = 0; place < Number(MIDDLEWARE); place++) {
      app.use((req, res, next) => {
        req.passed = (req.passed ?? 0) + 1;
        next();
      });
    }
    app.get('/', (req, res) => {
      res.send(`passed ${req.passed ?? 0}`);
    });
    return app;
  },

  answer() {
    const app = express();
    const body = Buffer.alloc(Number(process.env.BYTES), 'x');
    app.get('/', (req, res) => {
      res.send(body);
    });
    return app;
  },

  receive() {
    const app = express();
    app.use(express.raw({ type: () => true, limit: '100mb' }));
    app.post('/', (req, res) => {
      res.send(`received ${req.body?.length ?? 0}`);
    });
    return app;
  },

  parts() {
    const app = express();
    app.get('/', (req, res) => {
      res.type('text/plain');
      res.write('first\n');
      res.write('second\n');
      res.end('third\n');
    });
    return app;
  },

  static() {
    const app = express();
    app.use(express.static(files));
    return app;
  },

  view() {
    const app = express();
    app.set('views', path.join(files, 'views'));
    app.set('view engine', 'ejs');
    app.get('/', (req, res) => {
      const users = Array.from({ length: 10 }, (_, id) => ({ id, name: `user <${id}>` }));
      res.render('users', { title: 'Users', users });
    });
    return app;
  },

  stack: () => require('./stack').stackApplication(express),

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
