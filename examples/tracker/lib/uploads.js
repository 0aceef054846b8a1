'use strict';

const { rm, utimes } = require('node:fs/promises');
const path = require('node:path');
const multer = require('multer');

const MOST_FILES = 4;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Attachments on disk. The visitor's name for a file never becomes a path: on disk it has a random name without an
 * extension, and it is only ever sent as a download, so an HTML attachment cannot run as a page of this site.
 *
 * @param {string} folder
 * @param {{ ids: (kind: string) => string, clock: () => Date }} sources
 */
function uploads(folder, { ids, clock }) {
  const storage = multer.diskStorage({
    // A text, not a function, so that multer creates the folder.
    destination: folder,
    filename: (req, file, done) => done(null, ids('file')),
  });
  const receive = multer({
    storage,
    // Browsers send file names in UTF-8.
    defParamCharset: 'utf8',
    limits: {
      files: MOST_FILES,
      fileSize: MOST_BYTES,
      fields: 10,
      fieldSize: 64 * 1024,
      fieldNameSize: 100,
      parts: 16,
      headerPairs: 20,
      fieldNestingDepth: 0,
    },
  }).array('attachments', MOST_FILES);

  const pathOf = (attachment) => path.join(folder, attachment.file);

  return {
    receive,
    pathOf,

    /**
     * What an issue remembers of its files.
     *
     * @param {Express.Multer.File[]} files
     * @param {string} by
     */
    async describe(files, by) {
      const now = clock();
      // The download's Last-Modified is then the time of the upload as the issue shows it.
      await Promise.all(files.map((file) => utimes(file.path, now, now)));
      return files.map((file) => ({
        file: file.filename,
        name: shownName(file.originalname),
        size: file.size,
        by,
        at: now.toISOString(),
      }));
    },

    /** Removes the files of attachments that nothing refers to any more. */
    async discard(attachments) {
      await Promise.all(attachments.map((attachment) => rm(pathOf(attachment), { force: true })));
    },
  };
}

/** The visitor's name for the file, without folders and without characters that hide what it is. */
function shownName(original) {
  const base = original.split(/[\\/]/).pop();
  const clean = base
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, 120)
    .trim();
  return clean === '' || /^\.+$/.test(clean) ? 'attachment' : clean;
}

module.exports = { uploads };
