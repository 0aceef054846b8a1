'use strict';

const { mkdirSync } = require('node:fs');
const { readdir } = require('node:fs/promises');
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
      else done(Object.assign(new Error(`${file.mimetype} is not taken`), { status: 415 }));
    },
  });

  app.get('/', (req, res) => {
    res.send(`<!doctype html><title>Uploads</title>
<form method="post" action="/files" enctype="multipart/form-data">
  <input type="file" name="files" multiple required>
  <button>Send</button>
</form>`);
  });

  app.post('/files', upload.array('files', LIMITS.files), (req, res) => {
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
    const tooLarge = err instanceof multer.MulterError && err.code === 'LIMIT_FILE_SIZE';
    const status = tooLarge ? 413 : err instanceof multer.MulterError ? 400 : (err.status ?? 500);
    res.status(status).json({ error: status < 500 ? err.message : 'something went wrong' });
  });

  return app;
}

module.exports = { createApp };

if (require.main === module) {
  const app = createApp({ folder: path.join(__dirname, 'data') });
  const server = app.listen(process.env.PORT ?? 3000, () => {
    console.log(`http://localhost:${server.address().port}`);
  });
}
