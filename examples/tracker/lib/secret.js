'use strict';

const { readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { randomId } = require('./ids');

/**
 * The secret that signs session cookies. It is created on the first start and stored, so that a restart logs no user out.
 *
 * @param {string} dataDir
 * @returns {Promise<string>}
 */
async function loadSecret(dataDir) {
  const file = path.join(dataDir, 'cookie-secret');
  try {
    // wx: never overwrite; 0600: readable by this account alone.
    await writeFile(file, randomId(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}

module.exports = { loadSecret };
