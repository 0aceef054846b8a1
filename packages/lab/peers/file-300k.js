'use strict';

const generatedFolder = require('./generated-folder');

/** A folder with a script of 300,000 bytes, as bundlers make them. */
module.exports = () =>
  generatedFolder('file-300k', [['app.js', () => 'const a = 1; \n'.repeat(20_000).padEnd(300_000)]]);
