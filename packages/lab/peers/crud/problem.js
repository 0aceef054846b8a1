'use strict';

const { STATUS_CODES } = require('node:http');

/** An error of the API, with the status of the answer under both of its usual names. */
class Problem extends Error {
  constructor(status, message, options) {
    super(message, options);
    this.status = status;
    this.statusCode = status;
  }
}

/**
 * The answer to an error, the same for every framework: the message of a Problem, only the status of a body parser's error,
 * and no details of internal errors.
 *
 * @param {Error & { status?: number, statusCode?: number }} error
 * @returns {{ status: number, body: { error: string } }}
 */
function answerTo(error) {
  const status = error.status ?? error.statusCode ?? 500;
  return { status, body: { error: error instanceof Problem ? error.message : STATUS_CODES[status] } };
}

module.exports = { Problem, answerTo };
