const form = (...parts) => ({
  body: Buffer.from(
    `${parts
      .map(
        ([name, file, text]) =>
          `--cut\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: text/plain` : ''}\r\n\r\n${text}\r\n`,
      )
      .join('')}--cut--\r\n`,
  ),
});
module.exports = {
  wants: ['multer', 'express'],
  about: 'one file, several files, fields, in memory and on disk; a file that is too large, a wrong field',
  start({ folder }) {
    const express = require('express');
    const multer = require('multer');
    const app = express();
    const memory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100 } });
    const disk = multer({ dest: `${folder}/uploads/` });
    const told = ({ fieldname, originalname, mimetype, size, encoding }) => ({
      fieldname,
      originalname,
      mimetype,
      size,
      encoding,
    });
    app.post('/one', memory.single('avatar'), (req, res) =>
      res.json({ file: told(req.file), text: req.file.buffer.toString(), body: req.body }),
    );
    app.post('/many', disk.array('photos', 2), (req, res) => res.json({ files: req.files.map(told), body: req.body }));
    app.post('/fields', memory.fields([{ name: 'a' }, { name: 'b' }]), (req, res) => res.json(Object.keys(req.files)));
    app.post('/none', memory.none(), (req, res) => res.json(req.body));
    app.use((err, req, res, next) => res.status(400).json({ code: err.code, field: err.field, message: err.message }));
    return app;
  },
  async play({ send }) {
    const post = (path, ...parts) =>
      send(`POST ${path}\nContent-Type: multipart/form-data; boundary=cut`, form(...parts).body);
    await post('/one', ['avatar', 'a.txt', 'hello'], ['name', '', 'Ann']);
    await post('/one', ['avatar', 'a.txt', 'x'.repeat(200)]);
    await post('/many', ['photos', 'a.txt', 'one'], ['photos', 'b.txt', 'two'], ['tags[]', '', 'x']);
    await post('/many', ['photos', 'a', '1'], ['photos', 'b', '2'], ['photos', 'c', '3']);
    await post('/fields', ['a', 'a.txt', '1'], ['b', 'b.txt', '2']);
    await post('/fields', ['c', 'c.txt', '1']);
    await post('/none', ['x', '', 'y']);
    await send('POST /none\nContent-Type: multipart/form-data; boundary=cut\n\n--cut\r\nbroken');
  },
};
