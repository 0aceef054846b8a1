'use strict';

/** What the frameworks' servers share: each has a way of its own to listen. */
module.exports = {
  /** Says where a server listens that is listening already. */
  announceAt(server, error) {
    if (error) throw error;
    console.log(`listening ${server.address().port}`);
  },

  /** Whether a request says that it comes from XMLHttpRequest, for frameworks that have no name for it. */
  ajax: (headers) => (headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest',
};
