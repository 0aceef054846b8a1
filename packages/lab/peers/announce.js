'use strict';

/**
 * Prints the address on which a server listens; the lab waits for this line.
 * KEEP_ALIVE_TIMEOUT (milliseconds) replaces node's default time for idle connections.
 * @param {import('node:http').Server} server
 */
module.exports = function announce(server) {
  const { KEEP_ALIVE_TIMEOUT } = process.env;
  if (KEEP_ALIVE_TIMEOUT !== undefined) server.keepAliveTimeout = Number(KEEP_ALIVE_TIMEOUT);
  const print = () => console.log(`listening ${server.address().port}`);
  if (server.listening) print();
  else server.once('listening', print);
};
