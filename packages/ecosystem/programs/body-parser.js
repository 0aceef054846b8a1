module.exports = {
  wants: ['body-parser', 'express'],
  about: 'JSON, forms, text and raw bodies; wrong, large and compressed ones',
  start() {
    const express = require('express');
    const bodyParser = require('body-parser');
    const app = express();
    app.post('/json', bodyParser.json({ limit: 40 }), (req, res) => res.json({ got: req.body }));
    app.post('/form', bodyParser.urlencoded({ extended: true }), (req, res) => res.json({ got: req.body }));
    app.post('/text', bodyParser.text({ type: 'text/*' }), (req, res) => res.json({ got: req.body }));
    app.post('/raw', bodyParser.raw(), (req, res) => res.send(req.body));
    app.post('/signed', bodyParser.json({ verify: (req, res, buf) => void (req.size = buf.length) }), (req, res) =>
      res.json(req.size),
    );
    app.use((err, req, res, next) => res.status(err.status).json({ type: err.type, message: err.message }));
    return app;
  },
  requests: [
    'POST /json\nContent-Type: application/json\n\n{"a":[1,2]}',
    'POST /json\nContent-Type: application/json\n\n{"a":',
    'POST /json\nContent-Type: application/json; charset=x\n\n{}',
    `POST /json\nContent-Type: application/json\n\n{"a":"${'x'.repeat(60)}"}`,
    'POST /json\nContent-Type: text/plain\n\nnot read',
    'POST /json\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    'POST /form\nContent-Type: application/x-www-form-urlencoded\n\na[b]=1&a[c]=2&d=%C3%A4',
    'POST /text\nContent-Type: text/markdown\n\n# hello',
    'POST /raw\nContent-Type: application/octet-stream\n\n\x01\x02',
    'POST /signed\nContent-Type: application/json\n\n{"signed":true}',
  ],
  async play({ send }) {
    const packed = require('node:zlib').gzipSync('{"packed":true}');
    await send('POST /signed\nContent-Type: application/json\nContent-Encoding: gzip', packed);
    await send('POST /signed\nContent-Type: application/json\nContent-Encoding: br\n\nnot brotli');
  },
};
