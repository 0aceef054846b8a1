import http = require('node:http');

/** Reason phrases by status code, node's own table (RFC 9110 §15). */
export const REASONS: Readonly<Record<number, string | undefined>> = http.STATUS_CODES;
