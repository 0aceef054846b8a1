'use strict';

const { STATUS_CODES } = require('node:http');
const { MulterError } = require('multer');

const PAYLOAD_TOO_LARGE = new Set([
  'LIMIT_FILE_SIZE',
  'LIMIT_FILE_COUNT',
  'LIMIT_FIELD_VALUE',
  'LIMIT_PART_COUNT',
  'LIMIT_FIELD_COUNT',
]);
/** Errors of the multipart parser for an invalid body; they have no status. */
const BAD_MULTIPART =
  /^(Unexpected end of form|Malformed part header|Multipart: Boundary not found|Malformed content type)$/;

/** An error for the visitor: its message is shown. */
function httpError(status, message = STATUS_CODES[status]) {
  return Object.assign(new Error(message), { status, expose: true });
}

/**
 * What an error means to the client. The message of an unexpected error stays in the log: it may hold paths or data.
 *
 * @returns {{ status: number, message: string, fields?: Record<string, string> }}
 */
function describeError(error) {
  let status = Number.isInteger(error?.status) && error.status >= 400 && error.status < 600 ? error.status : 500;
  if (error instanceof MulterError) status = PAYLOAD_TOO_LARGE.has(error.code) ? 413 : 400;
  else if (status === 500 && BAD_MULTIPART.test(error?.message)) status = 400;
  const shown = status < 500 && typeof error.message === 'string';
  return {
    status,
    message: shown ? error.message : STATUS_CODES[status],
    ...(error?.fields && { fields: error.fields }),
  };
}

function notFound(req, res, next) {
  next(httpError(404, 'There is nothing at this address.'));
}

function logUnexpected(error, req) {
  console.error(`${req.method} ${req.originalUrl}`, error);
}

/** The last handler of the pages. Express recognises it by its four parameters. */
function errorPage(error, req, res, next) {
  // The visitor has disconnected, perhaps in the middle of an upload: no answer is possible.
  if (req.socket.destroyed) return;
  const { status, message } = describeError(error);
  if (status >= 500) logUnexpected(error, req);
  // An answer that has begun cannot become an error page: Express' own handler cuts the connection.
  if (res.headersSent) return next(error);
  res.status(status);
  res.format({
    html: () => res.render('error', { title: STATUS_CODES[status], status, message }),
    json: () => res.json({ error: { status, message } }),
    default: () => res.type('text').send(`${status} ${message}\n`),
  });
}

/** The last handler of the API. */
function errorJson(error, req, res, next) {
  const described = describeError(error);
  if (described.status >= 500) logUnexpected(error, req);
  if (res.headersSent) return next(error);
  res.status(described.status).json({ error: described });
}

module.exports = { httpError, notFound, errorPage, errorJson };
