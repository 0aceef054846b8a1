module.exports = {
  wants: ['express-fileupload', 'express'],
  about: 'files in memory, moved files, several files with one name, a limit',
  start({ folder }) {
    const express = require('express');
    const fileUpload = require('express-fileupload');
    const app = express();
    app.use(fileUpload({ limits: { fileSize: 1000 }, abortOnLimit: true, createParentPath: true }));
    app.post('/upload', async (req, res) => {
      if (!req.files) return res.status(400).send('No files were uploaded.');
      const list = [req.files.sample].flat();
      await list[0].mv(`${folder}/up/${list[0].name}`);
      res.json({
        files: list.map(({ name, size, md5, mimetype, truncated }) => ({ name, size, md5, mimetype, truncated })),
        body: req.body,
      });
    });
    return app;
  },
  async play({ send }) {
    const part = (name, text, file) =>
      `--cut\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: text/plain` : ''}\r\n\r\n${text}\r\n`;
    const head = 'POST /upload\nContent-Type: multipart/form-data; boundary=cut\n\n';
    await send(
      `${head}${part('sample', 'one', 'a.txt')}${part('sample', 'two', 'b.txt')}${part('note', 'n')}--cut--\r\n`,
    );
    await send(`${head}${part('note', 'n')}--cut--\r\n`);
    await send(`${head}${part('sample', 'x'.repeat(2000), 'a.txt')}--cut--\r\n`);
    await send('POST /upload\nContent-Type: application/json\n\n{}');
  },
};
