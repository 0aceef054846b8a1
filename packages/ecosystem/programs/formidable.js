module.exports = {
  wants: ['formidable', 'express'],
  about: 'forms parsed with async/await, files on the disk, a limit',
  start({ folder }) {
    const express = require('express');
    const { formidable } = require('formidable');
    const app = express();
    app.post('/api/upload', async (req, res, next) => {
      const form = formidable({ uploadDir: folder, maxFileSize: 1000, allowEmptyFiles: true, minFileSize: 0 });
      try {
        const [fields, files] = await form.parse(req);
        const told = Object.entries(files).map(([name, list]) => [
          name,
          list.map(({ size, originalFilename, mimetype }) => [size, originalFilename, mimetype]),
        ]);
        res.json({ fields, told });
      } catch (error) {
        res.writeHead(error.httpCode || 400, { 'Content-Type': 'text/plain' });
        res.end(String(error));
      }
    });
    return app;
  },
  async play({ send }) {
    const part = (name, text, file) =>
      `--cut\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: text/plain` : ''}\r\n\r\n${text}\r\n`;
    const head = 'POST /api/upload\nContent-Type: multipart/form-data; boundary=cut\n\n';
    await send(`${head}${part('title', 'a title')}${part('f', 'hello', 'f.txt')}--cut--\r\n`);
    await send(`${head}${part('f', 'x'.repeat(2000), 'f.txt')}--cut--\r\n`);
    await send('POST /api/upload\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=2');
    await send('POST /api/upload\nContent-Type: application/json\n\n{"a":1}');
  },
};
