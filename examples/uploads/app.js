'use strict';

const { mkdirSync } = require('node:fs');
const { readdir } = require('node:fs/promises');
const { STATUS_CODES } = require('node:http');
const path = require('node:path');
const { randomUUID } = require('node:crypto');
const express = require('nonstop');
const multer = require('multer');

const ALLOWED = new Map([
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['text/plain', '.txt'],
]);
const LIMITS = { fileSize: 1_000_000, files: 3, fields: 10 };

/** An error whose message is for the client. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The error to answer for an error of multer: 4xx if the form is wrong, otherwise the error itself. */
function refusalOf(error) {
  if (error instanceof multer.MulterError)
    return new Refusal(error.code === 'LIMIT_FILE_SIZE' ? 413 : 400, error.message);
  // Errors of the form's parser have no code and no status; errors of the disk have a code.
  const ofForm = error.code === undefined && error.status === undefined;
  return ofForm ? new Refusal(400, `the form cannot be read: ${error.message}`) : error;
}

/** @param {{ folder: string }} options where the files are kept */
function createApp({ folder }) {
  mkdirSync(folder, { recursive: true });
  const app = express();

  const upload = multer({
    limits: LIMITS,
    // The name from the client never becomes a name on the disk.
    storage: multer.diskStorage({
      destination: folder,
      filename: (req, file, done) => done(null, randomUUID() + ALLOWED.get(file.mimetype)),
    }),
    fileFilter: (req, file, done) => {
      if (ALLOWED.has(file.mimetype)) done(null, true);
      else done(new Refusal(415, `${file.mimetype} is not taken; send ${[...ALLOWED.keys()].join(', ')}`));
    },
  }).array('files', LIMITS.files);

  app.get('/', (req, res) => {
    res.send(`<!doctype html><title>Uploads</title>
<form method="post" action="/files" enctype="multipart/form-data">
  <input type="file" name="files" multiple required>
  <button>Send</button>
</form>`);
  });

  /** Keeps the files of a form in `req.files`. */
  function takeFiles(req, res, next) {
    upload(req, res, (error) => (error ? next(refusalOf(error)) : next()));
  }

  app.post('/files', takeFiles, (req, res) => {
    // `req.files` is undefined if the body is not a form with files.
    if (!req.files?.length) throw new Refusal(400, 'send files in the field `files` of a form (multipart/form-data)');
    const files = req.files.map(({ filename, originalname, size }) => ({ name: filename, was: originalname, size }));
    res.status(201).json(files);
  });

  app.get('/files', async (req, res) => {
    res.json(await readdir(folder));
  });

  // A browser saves these files instead of showing them as pages of this site.
  app.get('/files/:name', (req, res) => {
    res.set('X-Content-Type-Options', 'nosniff');
    res.download(req.params.name, req.params.name, { root: folder });
  });

  app.use((err, req, res, next) => {
    if (res.headersSent) return next(err);
    const status = err.status ?? 500;
    if (status >= 500) console.error(err);
    // Other messages are not for clients: for example, a missing file's has its path on this server.
    res.status(status).json({ error: err instanceof Refusal ? err.message : STATUS_CODES[status] });
  });

  return app;
}

module.exports = { createApp };

if (require.main === module) {
  const app = createApp({ folder: path.join(__dirname, 'data') });
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}`);
  });
}
