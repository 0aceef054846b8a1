'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** The same for all contestants, because it is part of the entity tags. */
const CHANGED = new Date('2026-01-01T00:00:00Z');

/** A folder with these files. The first server that needs it creates it. @param contents pairs of a name and a function that makes the text */
module.exports = function generatedFolder(name, contents) {
  const folder = path.join(os.tmpdir(), `nonstop-lab-${name}`);
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of contents) {
    const file = path.join(folder, name);
    if (fs.existsSync(file)) continue;
    // Under another name first, because several servers may start at once.
    const own = `${file}.${process.pid}`;
    fs.writeFileSync(own, text());
    fs.utimesSync(own, CHANGED, CHANGED);
    fs.renameSync(own, file);
  }
  return folder;
};
