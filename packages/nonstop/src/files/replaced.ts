import fs = require('node:fs');
import { hasMark } from '../node/marks.js';

// Without `close`, because a kept file has no descriptor to close, and graceful-fs, which many packages load, replaces only that one.
const own = { stat: fs.stat, open: fs.open, read: fs.read, readFile: fs.readFile };

const ARE_NODES =
  hasMark(own.stat, 'binding.stat(') &&
  hasMark(own.open, 'binding.open(') &&
  hasMark(own.read, 'binding.read(') &&
  hasMark(own.readFile, 'ReadFileContext');

/** Whether a program has replaced a function of `node:fs`; it expects a call for every file, in the async context of its request. */
export const isReplaced = (): boolean =>
  !ARE_NODES || fs.stat !== own.stat || fs.open !== own.open || fs.read !== own.read || fs.readFile !== own.readFile;
