'use strict';

const generatedFolder = require('./generated-folder');

const contents = Array.from({ length: 200 }, (_, number) => [
  String(number),
  () => `file ${number}\n`.repeat(110 + 11 * number),
]);

/** A folder with 200 files of 1 to 20 kB, named by their numbers. */
module.exports = () => generatedFolder('files-200', contents);
