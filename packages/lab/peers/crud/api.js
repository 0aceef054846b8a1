'use strict';

const { answerTo } = require('./problem');
const runner = require('./runner');
const serve = require('./serve');

/**
 * The API, written as in Express's own guide; the records are passed to it.
 * @param express Express or its replacement: both run the same source
 */
module.exports = (express) => (records) => {
  const app = express();
  app.use(express.json({ limit: '1mb' }));

  app.get('/control', (req, res) => {
    res.json({ ok: true });
  });
  app.get('/runner', (req, res) => {
    res.type('html').send(runner);
  });
  app.post('/:shape', async (req, res) => {
    res.status(201).json(await records.create(req.params.shape, req.body));
  });
  app.get('/:shape/:id', async (req, res) => {
    res.json(await records.read(req.params.shape, req.params.id));
  });
  app.put('/:shape/:id', async (req, res) => {
    res.json(await records.replace(req.params.shape, req.params.id, req.body));
  });
  app.delete('/:shape/:id', async (req, res) => {
    await records.remove(req.params.shape, req.params.id);
    res.status(204).end();
  });
  app.use((error, req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, body } = answerTo(error);
    res.status(status).json(body);
  });

  serve(app.listen(Number(process.env.PORT), '127.0.0.1'));
};
