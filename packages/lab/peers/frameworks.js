'use strict';

/** Shared by the frameworks' servers, each of which listens in its own way. */
module.exports = {
  /** Prints the address of a server that already listens. */
  announceAt(server, error) {
    if (error) throw error;
    console.log(`listening ${server.address().port}`);
  },

  /** Whether a request was sent by XMLHttpRequest, for frameworks without a method for it. */
  ajax: (headers) => (headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest',
};
