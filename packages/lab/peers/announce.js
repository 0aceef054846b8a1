'use strict';

/**
 * Says on stdout where a server listens, which is what the lab waits for.
 * KEEP_ALIVE_TIMEOUT (milliseconds) keeps idle connections for longer than node would.
 * @param {import('node:http').Server} server
 */
module.exports = function announce(server) {
  const { KEEP_ALIVE_TIMEOUT } = process.env;
  if (KEEP_ALIVE_TIMEOUT !== undefined) server.keepAliveTimeout = Number(KEEP_ALIVE_TIMEOUT);
  server.once('listening', () => console.log(`listening ${server.address().port}`));
};
