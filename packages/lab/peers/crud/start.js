'use strict';

const openRecords = require('./records');

/**
 * Starts an API over the database that the lab names (MONGODB_URL, CRUD_COLLECTIONS), or ends the process with a line.
 *
 * @param {(records: Awaited<ReturnType<typeof openRecords>>) => void | Promise<void>} api serves the records
 */
module.exports = function start(api) {
  const { MONGODB_URL, CRUD_COLLECTIONS = '' } = process.env;
  openRecords({ url: MONGODB_URL, collections: CRUD_COLLECTIONS })
    .then(api)
    .catch((error) => {
      console.error(error.message);
      process.exit(1);
    });
};
