'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const COUNT = 200;
/** The same for all contestants, because it is part of the entity tags. */
const CHANGED = new Date('2026-01-01T00:00:00Z');

/** A folder with 200 files of 1 to 20 kB, named by their numbers. The first server that needs it creates it. */
module.exports = function files200() {
  const folder = path.join(os.tmpdir(), 'nonstop-lab-files-200');
  fs.mkdirSync(folder, { recursive: true });
  for (let number = 0; number < COUNT; number++) {
    const file = path.join(folder, String(number));
    if (fs.existsSync(file)) continue;
    // Under another name first, because several servers may start at once.
    const own = `${file}.${process.pid}`;
    fs.writeFileSync(own, `file ${number}\n`.repeat(110 + 11 * number));
    fs.utimesSync(own, CHANGED, CHANGED);
    fs.renameSync(own, file);
  }
  return folder;
};
