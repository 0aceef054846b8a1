'use strict';

const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { csvLine } = require('../lib/csv');

function csvExports({ express, store }) {
  const router = express.Router();

  // Streamed, so that an export of a million issues needs no more memory than one of ten.
  router.get('/issues.csv', async (req, res) => {
    res.attachment('issues.csv');
    await pipeline(Readable.from(lines(store)), res);
  });

  return router;
}

async function* lines(store) {
  yield csvLine(['id', 'state', 'title', 'labels', 'author', 'created', 'comments']);
  for await (const issue of store.issues.each()) {
    yield csvLine([
      issue.id,
      issue.state,
      issue.title,
      issue.labels.join(' '),
      issue.author,
      issue.createdAt,
      issue.comments.length,
    ]);
  }
}

module.exports = { csvExports };
