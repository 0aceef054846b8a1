'use strict';

/**
 * Says on stdout where a server listens, which is what the lab waits for.
 * @param {import('node:http').Server} server
 */
module.exports = function announce(server) {
  server.once('listening', () => console.log(`listening ${server.address().port}`));
};
