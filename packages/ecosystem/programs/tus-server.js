module.exports = {
  wants: ['@tus/server', '@tus/file-store', 'express'],
  about: 'an upload in two parts, its state, its end; a wrong offset, an unknown version',
  folder: 'tus',
  async start({ folder, note }) {
    const express = require('express');
    const { Server, EVENTS } = await import('@tus/server');
    const { FileStore } = await import('@tus/file-store');
    const tus = new Server({
      path: '/files',
      datastore: new FileStore({ directory: `${folder}/files` }),
      namingFunction: () => 'one',
      respectForwardedHeaders: true,
    });
    tus.on(EVENTS.POST_FINISH, (req, res, upload) => note('finished', upload.size));
    const app = express();
    app.all(/^\/files.*/, (req, res) => tus.handle(req, res));
    app.get('/', (req, res) => res.send('a page'));
    return app;
  },
  requests: [
    'OPTIONS /files\nTus-Resumable: 1.0.0',
    'POST /files\nTus-Resumable: 1.0.0\nUpload-Length: 10\nUpload-Metadata: filename aGVsbG8udHh0',
    'PATCH /files/one\nTus-Resumable: 1.0.0\nUpload-Offset: 0\nContent-Type: application/offset+octet-stream\n\nabcde',
    'HEAD /files/one\nTus-Resumable: 1.0.0',
    'PATCH /files/one\nTus-Resumable: 1.0.0\nUpload-Offset: 2\nContent-Type: application/offset+octet-stream\n\nxxx',
    'PATCH /files/one\nTus-Resumable: 1.0.0\nUpload-Offset: 5\nContent-Type: application/offset+octet-stream\n\nfghij',
    'GET /files/one',
    'HEAD /files/none\nTus-Resumable: 1.0.0',
    'POST /files\nTus-Resumable: 0.9.0',
    'GET /',
  ],
};
