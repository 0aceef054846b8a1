module.exports = {
  wants: ['busboy', 'express'],
  about: 'a form piped from the request: fields, files, limits, an unfinished form',
  start() {
    const express = require('express');
    const busboy = require('busboy');
    const app = express();
    app.post('/', (req, res, next) => {
      const seen = [];
      const form = busboy({ headers: req.headers, limits: { fileSize: 1000, fields: 2 } });
      form.on('file', (name, file, info) => {
        let size = 0;
        file.on('data', (data) => (size += data.length)).on('limit', () => seen.push('too large'));
        file.on('close', () => seen.push([name, info, size]));
      });
      form.on('field', (name, value) => seen.push([name, value]));
      form.on('fieldsLimit', () => seen.push('too many fields'));
      form
        .on('error', next)
        .on('close', () => res.headersSent || res.writeHead(200, { Connection: 'close' }).end(JSON.stringify(seen)));
      req.pipe(form);
    });
    app.use((error, req, res, next) => res.status(400).send(error.message));
    return app;
  },
  async play({ send }) {
    const part = (name, text, file) =>
      `--cut\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n${text}\r\n`;
    const head = 'POST /\nContent-Type: multipart/form-data; boundary=cut\n\n';
    await send(
      `${head}${part('a', '1')}${part('f', 'x'.repeat(2000), 'f.bin')}${part('b', '2')}${part('c', '3')}--cut--\r\n`,
    );
    await send(`${head}${part('a', '1')}--cut\r\n`);
    await send('POST /\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=%20');
    await send('POST /\n\nno type');
  },
};
