'use strict';

const { randomBytes } = require('node:crypto');

/** @returns {string} 192 random bits, safe in a URL, a cookie and a file name */
function randomId() {
  return randomBytes(24).toString('base64url');
}

module.exports = { randomId };
