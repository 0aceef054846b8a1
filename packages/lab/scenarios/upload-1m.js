'use strict';

const { peers } = require('../scenario-parts.js');

const boundary = 'nonstop-lab-boundary';
const file = `a line of the file\n`.repeat(55_189).slice(0, 1_048_576);

/** A form with a file of 1 MB through multer, into memory; by hand with busboy, which multer uses. */
module.exports = {
  name: 'upload-1m',
  title: 'upload of 1 MB, multer',
  request: {
    method: 'POST',
    path: '/files',
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: [
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="lines.txt"',
      'Content-Type: text/plain',
      '',
      file,
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
