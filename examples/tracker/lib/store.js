'use strict';

const { mkdir } = require('node:fs/promises');
const path = require('node:path');
const { ClassicLevel } = require('classic-level');
const { Issues } = require('./store-issues');
const { Users } = require('./store-users');

/**
 * Opens the embedded database (LevelDB: one directory, one process at a time).
 *
 * @param {string} dataDir created when absent
 * @param {() => Date} clock
 */
async function openStore(dataDir, clock) {
  await mkdir(dataDir, { recursive: true });
  const db = new ClassicLevel(path.join(dataDir, 'db'), { valueEncoding: 'json' });
  await db.open();
  const table = (name) => db.sublevel(name, { valueEncoding: 'json' });
  return {
    issues: new Issues(table('issues'), clock),
    users: new Users(table('users'), table('tokens')),
    sessions: table('sessions'),
    close: () => db.close(),
  };
}

module.exports = { openStore };
